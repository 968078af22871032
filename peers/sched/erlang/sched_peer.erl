%% SPDX-License-Identifier: MIT
%% Erlang's side of peers/sched.py: `erl +S W:W -noshell -run sched_peer main NAME=N...` prints
%% "NAME wall_ns cpu_ns operations" lines. The benchmarks are those of src/bench/suite_sched_*.c; a mutex and a call that
%% blocks a scheduler do not exist here. CPU time is the runtime's own count, which has steps of 1 ms.
-module(sched_peer).
-export([main/1]).

main(Args) ->
    logger:set_primary_config(level, none),
    lists:foreach(fun measure/1, Args),
    halt(0).

measure(Arg) ->
    [Name, Count] = string:split(Arg, "="),
    N = list_to_integer(Count),
    times(4, fun() -> once(Name, N) end). % the reader leaves the first out

once(Name, N) ->
    Self = self(),
    %% In a process of its own each time: the heap of the one before is not its concern.
    spawn_link(fun() ->
        {Cpu0, _} = statistics(runtime),
        From = erlang:monotonic_time(nanosecond),
        run(Name, N),
        Wall = erlang:monotonic_time(nanosecond) - From,
        {Cpu1, _} = statistics(runtime),
        Self ! {done, Wall, (Cpu1 - Cpu0) * 1000000}
    end),
    receive {done, Wall, Cpu} -> io:format("~s ~b ~b ~b~n", [Name, Wall, Cpu, N]) end.

run("chained_spawn", N) -> times(N div 1000, fun chain/0);
run("yield_many", N) -> each(200, fun(_) -> yields(N div 200) end);
run("fan_out_fan_in", N) -> times(N div 1000, fun fan/0);
run("spawn_pair_control", N) -> times(N, fun() -> each(2, fun(_) -> ok end) end);
run("ping_pong_oneshot", N) -> times(N, fun() -> pair(1) end);
run("ping_pong_steady", N) -> steady(N);
run("compute_parallel", N) -> compute(N, erlang:system_info(schedulers_online));
run("many_timers", N) -> each(N, fun sleep/1);
run("spawn_storm_busy", N) -> times(N div 10000, fun() -> each(10000, fun busy/1) end);
run("catch_panics", N) -> times(N, fun panic/0);
run("yield_in_hot_loop", N) -> each(2, fun(_) -> yields(N div 2) end);
run("uncontended_channel", N) -> times(N, fun() -> self() ! x, receive x -> ok end end).

times(0, _) -> ok;
times(N, Fun) -> Fun(), times(N - 1, Fun).

%% N processes, joined.
each(N, Fun) -> start(N, Fun), join(N).

start(0, _) -> ok;
start(N, Fun) -> spawn_monitor(fun() -> Fun(N) end), start(N - 1, Fun).

%% In the order of their ends: a message that is looked for among thousands is found slowly.
join(0) -> ok;
join(N) -> receive {'DOWN', _, process, _, _} -> join(N - 1) end.

chain() ->
    Self = self(),
    spawn(fun() -> link_(1000, Self) end),
    receive last -> ok end.

link_(1, To) -> To ! last;
link_(N, To) -> spawn(fun() -> link_(N - 1, To) end).

yields(0) -> ok;
yields(N) -> erlang:yield(), yields(N - 1).

fan() ->
    Self = self(),
    times(1000, fun() -> spawn(fun() -> Self ! one end) end),
    times(1000, fun() -> receive one -> ok end end).

steady(N) when N =< 10000 -> pair(N);
steady(N) -> pair(10000), steady(N - 10000).

pair(Trips) ->
    {Pong, _} = spawn_monitor(fun() -> receive {ping, P} -> pong(P, Trips) end end),
    spawn_monitor(fun() -> Pong ! {ping, self()}, ping(Pong, Trips) end),
    join(2).

ping(_, 0) -> ok;
ping(To, N) -> To ! go, receive back -> ping(To, N - 1) end.

pong(_, 0) -> ok;
pong(To, N) -> receive go -> To ! back, pong(To, N - 1) end.

compute(N, Workers) -> each(Workers, fun(_) -> steps(N div Workers * 1000, 1) end).

steps(0, X) -> X;
steps(N, X) -> steps(N - 1, (X * 1103515245 + 12345) band 16#3ffffff).

sleep(I) -> timer:sleep(1 + (I * 7919 rem 10007) * 19 div 10007).

busy(I) -> steps(8, I).

panic() ->
    {_, Ref} = spawn_monitor(fun() -> exit(on_purpose) end),
    receive {'DOWN', Ref, process, _, on_purpose} -> ok end.
