#!/usr/bin/env bash
# Times cuzk's CPU prover beside other provers, in alternation on the same inputs, and prints the ratios with their spread.
set -euo pipefail

usage() {
  cat <<USAGE
Usage: scripts/bench-peers.sh --peers FOLDER [OPTION...] CASE...
Cases:
  chain-K                    the dense chain of 2^K rows, which every peer makes for itself
  KEY.zkey,WITNESS.wtns      a snarkjs key and witness (rapidsnark and arkworks; BN254). rapidsnark's proofs are verified
                             with ,VKEY.json or the key that \`cuzk export vk\` writes
Options:
  --peers FOLDER    holds any of peer-rapidsnark, peer-gnark, peer-ark and peer-bellperson; those missing are left out
  --rapidsnark FILE the program peer-rapidsnark, if it lies elsewhere
  --cuzk FILE       the program cuzk (from the path)
  --batch N         whole processes instead, for KEY.zkey,WITNESS.wtns: one \`cuzk prove\` of N copies of the witness, which
                    verifies every proof, against N runs of rapidsnark's own program, which verifies none
  --prover FILE     rapidsnark's program \`prover\`, for --batch
  --curves LIST     of the chains: bn254, bls12-381 or both with a comma (both)
  --threads N       for every prover, on the first N processors of the affinity (all of them)
  --rounds N        measurements of each prover, taking turns (5)
  --work FOLDER     for the peers' keys, kept for the next time (/tmp/cuzk-peers)
  --json FILE       write every measurement
Every measurement is one proof after a warm-up in the same process, witness and key in memory: cuzk's prove_seconds, the
peers' "prove" (gnark solves its system in the same call: that time, measured alone, is taken off). A ratio is the peer's
time divided by cuzk's of the same round; printed are their median, lowest and highest. Behind it stands the peak resident
memory of the process in MB, the greatest of all rounds (cuzk's with its JVM).
Exit codes: 0 measured, 1 a prover failed, 2 usage.
USAGE
}

[ $# -gt 0 ] || { usage >&2; exit 2; }
case $1 in -h | --help) usage; exit 0 ;; esac
command -v python3 >/dev/null || { echo "bench-peers.sh: needs python3" >&2; exit 2; }
exec python3 - "$@" <<'PYTHON'
import argparse, json, os, statistics, subprocess, sys, tempfile, time

PEERS = ("rapidsnark", "gnark", "ark", "bellperson")


class Stop(Exception):
    pass


def options():
    parser = argparse.ArgumentParser(
        prog="bench-peers.sh", usage="scripts/bench-peers.sh --peers FOLDER [OPTION...] CASE... (--help says more)")
    parser.add_argument("--peers", default="")
    parser.add_argument("--rapidsnark")
    parser.add_argument("--cuzk", default="cuzk")
    parser.add_argument("--batch", type=int)
    parser.add_argument("--prover")
    parser.add_argument("--curves", default="bn254,bls12-381")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", default="/tmp/cuzk-peers")
    parser.add_argument("--json")
    parser.add_argument("cases", nargs="+")
    chosen = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    chosen.cores = cores[: chosen.threads or len(cores)]
    if chosen.threads is not None and not 1 <= chosen.threads <= len(cores):
        parser.error(f"--threads must be 1 to {len(cores)} here")
    if chosen.rounds < 1:
        parser.error("--rounds must be at least 1")
    chosen.curves = chosen.curves.split(",")
    if not set(chosen.curves) <= {"bn254", "bls12-381"}:
        parser.error("--curves takes bn254 and bls12-381")
    chosen.programs = {}
    for peer in PEERS:
        path = os.path.join(chosen.peers, "peer-" + peer)
        if peer == "rapidsnark" and chosen.rapidsnark:
            path = chosen.rapidsnark
        if os.access(path, os.X_OK) and os.path.isfile(path):
            chosen.programs[peer] = os.path.abspath(path)
    if chosen.batch is not None:
        if chosen.batch < 1 or not chosen.prover or any(map(is_chain, chosen.cases)):
            parser.error("--batch takes a number from 1 on, --prover FILE and cases KEY.zkey,WITNESS.wtns")
        if not (os.path.isfile(chosen.prover) and os.access(chosen.prover, os.X_OK)):
            parser.error(f"--prover: no program '{chosen.prover}'")
        chosen.prover = os.path.abspath(chosen.prover)
    elif not chosen.programs:
        parser.error("no peer found: --peers names a folder with peer-rapidsnark, peer-gnark, peer-ark or peer-bellperson")
    for case in chosen.cases:
        if not is_chain(case) and len(case.split(",")) not in (2, 3):
            parser.error(f"a case is chain-K or KEY.zkey,WITNESS.wtns[,VKEY.json], found '{case}'")
    return chosen


def is_chain(case):
    return case.startswith("chain-") and case[6:].isdigit()


def run(command):
    environment = dict(os.environ)
    for name in ("RAYON_NUM_THREADS", "EC_GPU_NUM_THREADS", "PEER_THREADS", "OMP_NUM_THREADS"):
        environment[name] = str(len(chosen.cores))
    if chosen.peers:
        earlier = environment.get("LD_LIBRARY_PATH")
        library = os.path.join(os.path.abspath(chosen.peers), "lib")
        environment["LD_LIBRARY_PATH"] = library + (":" + earlier if earlier else "")
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen([str(word) for word in command], env=environment, stdout=output, stderr=errors,
                                   preexec_fn=lambda: os.sched_setaffinity(0, chosen.cores))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        printed, complaint = output.read(), errors.read()
    if process.returncode != 0:
        text = (complaint.strip() or printed.strip()).splitlines()
        raise Stop(f"{' '.join(map(str, command))}: exit code {process.returncode}: {text[-1] if text else 'no message'}")
    return printed, usage.ru_maxrss * 1024 // 1000000


# gnark's own setup takes minutes from 2^17 on: such keys are random points, and proofs under them cost the same but do not
# verify (the peer says so).
GNARK_SETUP_MOST = 16


def has_random_key(command):
    return command[3:4] == ["chain"] and command[0] == chosen.programs.get("gnark") and command[4] > GNARK_SETUP_MOST


# What a measurement gives: milliseconds, and the process's peak memory in MB.
def peer_milliseconds(command):
    times = {}
    printed, memory = run(command)
    for line in printed.splitlines():
        if line.startswith("{"):
            measured = json.loads(line)
            times[measured["what"]] = statistics.median(measured["ms"])
            if measured.get("verified") is False and not has_random_key(command):
                raise Stop(f"{' '.join(map(str, command))}: its proof is wrong")
    if "prove" in times:
        return times["prove"], memory
    if "prove-with-solve" in times:
        return times["prove-with-solve"] - times.get("solve", 0), memory
    raise Stop(f"{' '.join(map(str, command))}: printed no proving time")


def cuzk_milliseconds(arguments):
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "result.json")
        _, memory = run([chosen.cuzk, "bench", "prove", "--gpus", "none", "-t", len(chosen.cores), "-w", 1, "-r", 1,
                         "--export-json", result, *arguments])
        with open(result) as file:
            return json.load(file)["cases"][0]["statistics"]["median"], memory


def elapsed_milliseconds(commands):
    start = time.monotonic()
    memory = max([run(command)[1] for command in commands])
    return (time.monotonic() - start) * 1000, memory


# One run over `batch` inputs that are all the same witness, and the peer's runs one after the other.
def batch_commands(key, witness, folder):
    inputs = os.path.join(folder, "inputs")
    os.makedirs(inputs)
    for i in range(chosen.batch):
        os.symlink(os.path.abspath(witness), os.path.join(inputs, f"input_{i}.wtns"))
    ours = [chosen.cuzk, "prove", "--gpus", "none", "-t", len(chosen.cores), "-q", "--key", key, "--out",
            os.path.join(folder, "run"), inputs]
    theirs = [chosen.prover, key, witness, os.path.join(folder, "proof.json"), os.path.join(folder, "public.json")]
    return {"cuzk": [ours], "prover": [theirs] * chosen.batch}


def ensure(path, command):
    if not os.path.exists(path):
        print(f"making {path}", file=sys.stderr, flush=True)
        run(command)


# Each peer's command for one proof of the chain, its key made first.
def chain_commands(curve, log):
    stem = os.path.join(chosen.work, f"chain-{log}")
    commands = {}
    for peer, program in chosen.programs.items():
        if peer == "gnark":
            made = os.path.join(chosen.work, f"gnark-{curve}-{log}.made")
            if not os.path.exists(made):
                print(f"making gnark's key of 2^{log} on {curve}", file=sys.stderr, flush=True)
                run([program, "setup" if log <= GNARK_SETUP_MOST else "random-key", curve, "chain", log, chosen.work])
                open(made, "w").close()
            commands[peer] = [program, "prove", curve, "chain", log, chosen.work, 1]
        elif peer == "ark":
            made = os.path.join(chosen.work, f"ark-{curve}-{log}.made")
            ensure(made, [program, "setup", curve, log, chosen.work])
            open(made, "w").close()
            commands[peer] = [program, "prove", curve, log, chosen.work, 1]
        elif peer == "bellperson" and curve == "bls12-381" and "ark" in chosen.programs:
            commands[peer] = [program, "prove", log, chosen.work, 1]
        elif peer == "rapidsnark" and curve == "bn254" and "ark" in chosen.programs:
            ensure(stem + ".zkey", [chosen.programs["ark"], "zkey", log, chosen.work])
            if not os.path.exists(stem + ".vkey.json"):
                with open(stem + ".vkey.json", "w") as file:
                    file.write(run([chosen.programs["ark"], "vkey", stem + ".zkey"])[0])
            commands[peer] = [program, "prove", stem + ".zkey", stem + ".wtns", stem + ".vkey.json", f"chain-{log}", 1]
    return commands


def file_commands(key, witness, verification, name):
    commands = {}
    for peer, program in chosen.programs.items():
        if peer == "rapidsnark":
            if verification is None:
                verification = os.path.join(chosen.work, name + ".vkey.json")
                with open(verification, "w") as file:
                    file.write(run([chosen.cuzk, "export", "vk", key])[0])
            commands[peer] = [program, "prove", key, witness, verification, name, 1]
        elif peer == "ark":
            commands[peer] = [program, "zprove", key, witness, name, 1, len(chosen.cores)]
    return commands


def spread(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def measure(title, measurements):
    if len(measurements) == 1:
        print(f"{title}: no peer for it")
        return
    times = {program: [] for program in measurements}
    peaks = dict.fromkeys(measurements, 0)
    for round_number in range(chosen.rounds):
        # Turns change direction, so that a machine that slows down favours nobody.
        order = list(times) if round_number % 2 == 0 else list(times)[::-1]
        for program in order:
            milliseconds, memory = measurements[program]()
            times[program].append(milliseconds)
            peaks[program] = max(peaks[program], memory)
    print(f"{title}, {len(chosen.cores)} threads, milliseconds: cuzk {spread(times['cuzk'])}, {peaks['cuzk']} MB")
    for peer in list(times)[1:]:
        ratios = [theirs / ours for theirs, ours in zip(times[peer], times["cuzk"])]
        print(f"  {peer:<11} {spread(times[peer])}   ratio {spread(ratios)}   {peaks[peer]} MB", flush=True)
    results.append({"case": title, "threads": len(chosen.cores), "milliseconds": times, "peak_megabytes": peaks})


def measure_proofs(title, commands, cuzk_arguments):
    measurements = {"cuzk": lambda: cuzk_milliseconds(cuzk_arguments)}
    for peer, command in commands.items():
        measurements[peer] = lambda command=command: peer_milliseconds(command)
    measure(title, measurements)


def measure_batch(name, key, witness):
    def milliseconds(program):
        with tempfile.TemporaryDirectory(dir=chosen.work) as folder:
            return elapsed_milliseconds(batch_commands(key, witness, folder)[program])

    measure(f"{name}, batch of {chosen.batch}", {p: lambda p=p: milliseconds(p) for p in ("cuzk", "prover")})


chosen = options()
results = []
try:
    os.makedirs(chosen.work, exist_ok=True)
    for case in chosen.cases:
        if is_chain(case):
            for curve in chosen.curves:
                measure_proofs(f"{case} {curve}", chain_commands(curve, int(case[6:])), ["--circuit", case, "--curve", curve])
        else:
            key, witness, verification = (case.split(",") + [None])[:3]
            name = os.path.basename(os.path.dirname(os.path.abspath(key))) or "key"
            if chosen.batch is not None:
                measure_batch(name, key, witness)
            else:
                measure_proofs(name, file_commands(key, witness, verification, name), ["--key", key, "--input", witness])
except (Stop, OSError) as problem:
    print(f"bench-peers.sh: {problem}", file=sys.stderr)
    sys.exit(1)
finally:
    if chosen.json and results:
        with open(chosen.json, "w") as file:
            json.dump(results, file, indent=1)
PYTHON
