#!/usr/bin/env python3
"""How busy the units of the GPU are while our kernels of rows of beside_peers.py run: hardware counters, read by Nsight Compute (ncu).

Prints for each kernel of each row how busy the units are that docs/Performance.md speaks of, and the busiest counters. The caches are cold
and the card is cool, so clocks are higher than under load; shares of the peak hardly depend on them.
"""
import argparse
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile

from peer_rows import select

SECTIONS = ("SpeedOfLight", "ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis", "SchedulerStats")
MARKER = "FillFunctor"  # of the kernel that stands in front of each row's
#: The units of docs/Performance.md -> the counter that says how busy it is: of a multiprocessor's, while it has work.
UNITS = {
    "tensor": "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    "exp": "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
    "issue": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "shared": "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "L2": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "HBM": "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
}
#: Counters that sum up others are no units.
SUMS = re.compile("throughput|_type_|instruction|pipe_shared|inst0|_op_")
SHARE = re.compile(r"(.*)[.]avg[.]pct_of_peak_sustained_(elapsed|active)")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", help="libtile.so, as the bundle has it in lib/")
    parser.add_argument("words", nargs="*", metavar="word", help="parts of names of rows")
    parser.add_argument("--top", type=int, default=3, help="how many counters to print (default: %(default)s)")
    parser.add_argument("--csv", metavar="FILE", help="keep all that was counted there")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_intermixed_args()
    rows, unknown = select(options.words)
    if unknown:
        parser.error(f"no row has a name with {', '.join(map(repr, unknown))}")
    return options, rows


def run_rows(library, rows):
    """What ncu watches: of each row a marker, then one call, after one that is not watched."""
    import torch

    from peer_cases import MAKE
    from peers import NoPeers
    from tile_library import Library

    library, driver = Library(library), torch.cuda.cudart()
    mark = torch.zeros(1, device="cuda")
    for row in rows:
        case = MAKE[row.kind](library, NoPeers(), **row.sizes)
        case.ours()
        torch.cuda.synchronize()
        driver.cudaProfilerStart()
        mark.fill_(1)
        case.ours()
        torch.cuda.synchronize()
        driver.cudaProfilerStop()
        del case
        torch.cuda.empty_cache()


def profile(options, file):
    """Runs this program under ncu. Its table goes to `file`."""
    ncu = shutil.which("ncu") or shutil.which("/usr/local/cuda/bin/ncu")
    if not ncu:
        sys.exit("expected Nsight Compute's ncu on the path or in /usr/local/cuda/bin, found none")
    sections = [argument for section in SECTIONS for argument in ("--section", section)]
    command = [ncu, "--clock-control", "none", "--profile-from-start", "off", *sections, "--csv", "--page", "raw", "--print-units", "base",
               "--log-file", file]
    inside = [sys.executable, os.path.abspath(__file__), options.library, *options.words, "--inside"]
    done = subprocess.run([*command, *inside], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    log = open(file).read() if os.path.exists(file) else ""
    if "ERR_NVGPUCTRPERM" in log + done.stdout:
        sys.exit("the driver lets only administrators read the counters (ERR_NVGPUCTRPERM): run as root, or load the driver with "
                 "NVreg_RestrictProfilingToAdminUsers=0")
    if done.returncode or "==ERROR==" in log:
        said = [text for text in log.splitlines() if text.startswith("==")]
        sys.exit("\n".join([f"ncu failed with status {done.returncode}", *said[-10:], *done.stdout.splitlines()[-20:]]))
    return log


def kernels(log):
    """The rows of ncu's table, each a dictionary of numbers with the kernel's name."""
    lines = [text for text in log.splitlines() if text.startswith('"')]
    header, _units, *rows = csv.reader(lines)
    for row in rows:
        named = dict(zip(header, row))
        numbers = {}
        for name, value in named.items():
            try:
                numbers[name] = float(value.replace(",", ""))
            except ValueError:
                pass
        yield named["Kernel Name"], numbers


def describe(name, numbers, top):
    """Lines: the kernel with its time, its units, and the busiest counters of all."""
    yield f"  {name[:110]}  {numbers.get('gpu__time_duration.sum', float('nan')) / 1000:.1f} us"
    yield "    " + "  ".join(f"{unit} {numbers.get(counter, float('nan')):.1f}" for unit, counter in UNITS.items()) + " % of the peak"
    shares = {}
    for key, value in numbers.items():
        if (match := SHARE.fullmatch(key)) and not SUMS.search(match[1]):
            shares[match[1]] = max(value, shares.get(match[1], 0))
    busiest = sorted(shares.items(), key=lambda item: -item[1])[:top]
    yield "    busiest: " + ", ".join(f"{key} {value:.1f}" for key, value in busiest)


def main():
    options, rows = arguments()
    if options.inside:
        run_rows(options.library, rows)
        return
    with tempfile.TemporaryDirectory() as folder:
        log = profile(options, options.csv or f"{folder}/counters.csv")
    names = iter(rows)
    for name, numbers in kernels(log):
        if MARKER in name:
            print(next(names).name)
        else:
            print("\n".join(describe(name, numbers, options.top)), flush=True)


if __name__ == "__main__":
    main()
