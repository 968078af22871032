// SPDX-License-Identifier: MIT
// tokio's side of peers/sched.py: `tokio_peer WORKERS NAME...` prints "NAME wall_ns cpu_ns operations" lines. WORKERS 0
// is the current_thread runtime. The benchmarks are those of src/bench/suite_sched_*.c.
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot};

fn cpu_ns() -> u64 {
    // The first two fields of struct rusage are the user and the system time.
    #[repr(C)]
    struct Rusage {
        times: [i64; 4],
        rest: [i64; 14],
    }
    extern "C" {
        fn getrusage(who: i32, to: *mut Rusage) -> i32;
    }
    let mut u = Rusage { times: [0; 4], rest: [0; 14] };
    assert_eq!(unsafe { getrusage(0, &mut u) }, 0);
    let t = u.times;
    ((t[0] + t[2]) * 1_000_000_000 + (t[1] + t[3]) * 1000) as u64
}

// std::hint::black_box came after the compiler of Debian 12.
fn black_box(mut x: u64) -> u64 {
    unsafe { std::arch::asm!("/* {0} */", inout(reg) x, options(nomem, nostack, preserves_flags)) };
    x
}

fn step(x: u64) -> u64 {
    black_box(x.wrapping_mul(6364136223846793005).wrapping_add(1))
}

fn link(left: u64, done: oneshot::Sender<()>) -> std::pin::Pin<Box<dyn std::future::Future<Output = ()> + Send>> {
    Box::pin(async move {
        if left == 1 {
            done.send(()).unwrap();
        } else {
            tokio::spawn(link(left - 1, done));
        }
    })
}

async fn chained_spawn(n: u64) {
    for _ in 0..n / 1000 {
        let (tx, rx) = oneshot::channel();
        tokio::spawn(link(1000, tx));
        rx.await.unwrap();
    }
}

async fn yielders(tasks: u64, each: u64) {
    let all: Vec<_> = (0..tasks)
        .map(|_| {
            tokio::spawn(async move {
                for _ in 0..each {
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for t in all {
        t.await.unwrap();
    }
}

async fn fan_out_fan_in(n: u64) {
    let (tx, mut rx) = mpsc::unbounded_channel::<u64>();
    for _ in 0..n / 1000 {
        for _ in 0..1000 {
            let tx = tx.clone();
            tokio::spawn(async move { tx.send(1).unwrap() });
        }
        for _ in 0..1000 {
            rx.recv().await.unwrap();
        }
    }
}

async fn steady(n: u64) {
    let mut left = n;
    while left > 0 {
        let trips = left.min(10_000);
        left -= trips;
        let (to_pong, mut at_pong) = mpsc::unbounded_channel::<u64>();
        let (to_ping, mut at_ping) = mpsc::unbounded_channel::<u64>();
        let ping = tokio::spawn(async move {
            for _ in 0..trips {
                to_pong.send(1).unwrap();
                at_ping.recv().await.unwrap();
            }
        });
        let pong = tokio::spawn(async move {
            for _ in 0..trips {
                at_pong.recv().await.unwrap();
                to_ping.send(1).unwrap();
            }
        });
        ping.await.unwrap();
        pong.await.unwrap();
    }
}

async fn oneshots(n: u64) {
    for _ in 0..n {
        let (to_pong, at_pong) = oneshot::channel::<u64>();
        let (to_ping, at_ping) = oneshot::channel::<u64>();
        let ping = tokio::spawn(async move {
            to_pong.send(1).unwrap();
            at_ping.await.unwrap();
        });
        let pong = tokio::spawn(async move {
            at_pong.await.unwrap();
            to_ping.send(1).unwrap();
        });
        ping.await.unwrap();
        pong.await.unwrap();
    }
}

async fn control(n: u64) {
    for _ in 0..n {
        let a = tokio::spawn(async {});
        let b = tokio::spawn(async {});
        a.await.unwrap();
        b.await.unwrap();
    }
}

async fn compute(n: u64, workers: u64) {
    let all: Vec<_> = (0..workers)
        .map(|_| {
            tokio::spawn(async move {
                let mut x = 1;
                for _ in 0..n / workers * 1000 {
                    x = step(x);
                }
                black_box(x);
            })
        })
        .collect();
    for t in all {
        t.await.unwrap();
    }
}

async fn mutex(n: u64) {
    let count = Arc::new(Mutex::new(0u64));
    let all: Vec<_> = (0..4)
        .map(|_| {
            let count = count.clone();
            tokio::spawn(async move {
                for _ in 0..n / 4 {
                    *count.lock().unwrap() += 1;
                }
            })
        })
        .collect();
    for t in all {
        t.await.unwrap();
    }
}

async fn blocking(n: u64) {
    let all: Vec<_> = (0..4)
        .map(|_| {
            tokio::spawn(async move {
                for _ in 0..n / 4 {
                    tokio::task::spawn_blocking(|| std::thread::sleep(Duration::from_micros(100))).await.unwrap();
                }
            })
        })
        .collect();
    for t in all {
        t.await.unwrap();
    }
}

async fn timers(n: u64) {
    let all: Vec<_> = (0..n)
        .map(|i| {
            let ns = 1_000_000 + (i * 7919 % 10007) * (19_000_000 / 10007);
            tokio::spawn(async move { tokio::time::sleep(Duration::from_nanos(ns)).await })
        })
        .collect();
    for t in all {
        t.await.unwrap();
    }
}

async fn storm(n: u64) {
    for _ in 0..n / 10_000 {
        let all: Vec<_> = (0..10_000u64)
            .map(|i| {
                tokio::spawn(async move {
                    let mut x = i;
                    for _ in 0..8 {
                        x = step(x);
                    }
                    x
                })
            })
            .collect();
        for t in all {
            black_box(t.await.unwrap());
        }
    }
}

async fn panics(n: u64) {
    for _ in 0..n {
        let t = tokio::spawn(async { panic!("on purpose") });
        assert!(t.await.unwrap_err().is_panic());
    }
}

async fn alone(n: u64) {
    let (tx, mut rx) = mpsc::unbounded_channel::<u64>();
    for i in 0..n {
        tx.send(i).unwrap();
        black_box(rx.recv().await.unwrap());
    }
}

async fn run(name: &str, n: u64, workers: u64) {
    match name {
        "chained_spawn" => chained_spawn(n).await,
        "yield_many" => yielders(200, n / 200).await,
        "fan_out_fan_in" => fan_out_fan_in(n).await,
        "spawn_pair_control" => control(n).await,
        "ping_pong_oneshot" => oneshots(n).await,
        "ping_pong_steady" => steady(n).await,
        "compute_parallel" => compute(n, workers).await,
        "mutex_contended" => mutex(n).await,
        "blocking_io" => blocking(n).await,
        "many_timers" => timers(n).await,
        "spawn_storm_busy" => storm(n).await,
        "catch_panics" => panics(n).await,
        "yield_in_hot_loop" => yielders(2, n / 2).await,
        "uncontended_channel" => alone(n).await,
        _ => panic!("no benchmark {name}"),
    }
}

fn measure(rt: &Runtime, name: &'static str, n: u64, workers: u64) {
    // Within the runtime: what waits outside would be woken by a system call.
    let (wall, cpu) = rt.block_on(async move {
        let timed = async move {
            let (from, cpu) = (Instant::now(), cpu_ns());
            run(name, n, workers).await;
            (from.elapsed().as_nanos(), cpu_ns() - cpu)
        };
        tokio::spawn(timed).await.unwrap()
    });
    println!("{name} {wall} {cpu} {n}");
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let workers: usize = args[1].parse().unwrap();
    std::panic::set_hook(Box::new(|_| {}));
    let rt = match workers {
        0 => Builder::new_current_thread().enable_time().build().unwrap(),
        _ => Builder::new_multi_thread().worker_threads(workers).enable_time().build().unwrap(),
    };
    for arg in &args[2..] {
        let (name, n) = arg.split_once('=').unwrap();
        let name: &'static str = Box::leak(name.to_string().into_boxed_str());
        let n: u64 = n.parse().unwrap();
        for _ in 0..4 {
            measure(&rt, name, n, workers.max(1) as u64); // the reader leaves the first out
        }
    }
}
