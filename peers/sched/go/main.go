// SPDX-License-Identifier: MIT

// Go's side of peers/sched.py: `go_peer WORKERS NAME=N...` prints "NAME wall_ns cpu_ns operations" lines. The
// benchmarks are those of src/bench/suite_sched_*.c. Go has no unbounded channel: 128 places stand for it.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

var sink uint64

func step(x uint64) uint64 { return x*6364136223846793005 + 1 }

func cpuNs() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(0, &u); err != nil {
		panic(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// n goroutines, joined.
func each(n int, fn func(i int)) {
	var all sync.WaitGroup
	all.Add(n)
	for i := 0; i < n; i++ {
		go func(i int) {
			fn(i)
			all.Done()
		}(i)
	}
	all.Wait()
}

func link(left int, done chan struct{}) {
	if left == 1 {
		done <- struct{}{}
	} else {
		go link(left-1, done)
	}
}

func chained(n int) {
	done := make(chan struct{}, 1)
	for i := 0; i < n/1000; i++ {
		go link(1000, done)
		<-done
	}
}

func yielders(tasks, times int) {
	each(tasks, func(int) {
		for i := 0; i < times; i++ {
			runtime.Gosched()
		}
	})
}

func fan(n int) {
	c := make(chan uint64, 128)
	for i := 0; i < n/1000; i++ {
		for k := 0; k < 1000; k++ {
			go func() { c <- 1 }()
		}
		for k := 0; k < 1000; k++ {
			<-c
		}
	}
}

func pair(trips, room int) {
	var all sync.WaitGroup
	ping, pong := make(chan uint64, room), make(chan uint64, room)
	all.Add(2)
	go func() {
		for i := 0; i < trips; i++ {
			pong <- 1
			<-ping
		}
		all.Done()
	}()
	go func() {
		for i := 0; i < trips; i++ {
			<-pong
			ping <- 1
		}
		all.Done()
	}()
	all.Wait()
}

func steady(n int) {
	for n > 0 {
		trips := 10000
		if n < trips {
			trips = n
		}
		pair(trips, 128)
		n -= trips
	}
}

func oneshots(n int) {
	for i := 0; i < n; i++ {
		pair(1, 1)
	}
}

func control(n int) {
	for i := 0; i < n; i++ {
		each(2, func(int) {})
	}
}

func compute(n, workers int) {
	each(workers, func(int) {
		x := uint64(1)
		for i := 0; i < n/workers*1000; i++ {
			x = step(x)
		}
		sink = x
	})
}

func contended(n int) {
	var lock sync.Mutex
	count := 0
	each(4, func(int) {
		for i := 0; i < n/4; i++ {
			lock.Lock()
			count++
			lock.Unlock()
		}
	})
}

func blocking(n int) {
	each(4, func(int) {
		for i := 0; i < n/4; i++ {
			t := syscall.Timespec{Nsec: 100000}
			syscall.Nanosleep(&t, nil)
		}
	})
}

func timers(n int) {
	each(n, func(i int) {
		time.Sleep(time.Duration(1000000 + i*7919%10007*(19000000/10007)))
	})
}

func storm(n int) {
	for i := 0; i < n/10000; i++ {
		each(10000, func(k int) {
			x := uint64(k)
			for s := 0; s < 8; s++ {
				x = step(x)
			}
			if x == 1 {
				sink = x
			}
		})
	}
}

func panics(n int) {
	seen := make(chan interface{}, 1)
	for i := 0; i < n; i++ {
		go func() {
			defer func() { seen <- recover() }()
			panic("on purpose")
		}()
		if <-seen == nil {
			panic("not seen")
		}
	}
}

func alone(n int) {
	c := make(chan uint64, 128)
	var x uint64
	for i := 0; i < n; i++ {
		c <- x + 1
		x = <-c
	}
	sink = x
}

func run(name string, n, workers int) {
	switch name {
	case "chained_spawn":
		chained(n)
	case "yield_many":
		yielders(200, n/200)
	case "fan_out_fan_in":
		fan(n)
	case "spawn_pair_control":
		control(n)
	case "ping_pong_oneshot":
		oneshots(n)
	case "ping_pong_steady":
		steady(n)
	case "compute_parallel":
		compute(n, workers)
	case "mutex_contended":
		contended(n)
	case "blocking_io":
		blocking(n)
	case "many_timers":
		timers(n)
	case "spawn_storm_busy":
		storm(n)
	case "catch_panics":
		panics(n)
	case "yield_in_hot_loop":
		yielders(2, n/2)
	case "uncontended_channel":
		alone(n)
	default:
		panic("no benchmark " + name)
	}
}

func main() {
	workers, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	runtime.GOMAXPROCS(workers)
	for _, arg := range os.Args[2:] {
		name, count, _ := strings.Cut(arg, "=")
		n, err := strconv.Atoi(count)
		if err != nil {
			panic(err)
		}
		for i := 0; i < 4; i++ { // the reader leaves the first out
			from, cpu := time.Now(), cpuNs()
			run(name, n, workers)
			fmt.Println(name, time.Since(from).Nanoseconds(), cpuNs()-cpu, n)
		}
	}
}
