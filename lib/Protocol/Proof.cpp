//===- Proof.cpp - the counting proof ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Why the order check is enough: an acquire of use n waits for the release of use n - stages, a
// wait waits for a commit, and nothing else blocks. If every slot that the consumers wait for
// before that release is committed before the acquire, then all steps of both roles have an order
// in which each comes after what it waits for: no set of roles can wait in a circle.
//===----------------------------------------------------------------------===//
#include "tilec/Protocol/Proof.h"

#include "Counts.h"

using namespace tilec::protocol;

/// The least or greatest value of a site's position over all trips.
static Affine extreme(Affine position, const std::map<unsigned, Affine> &trips, bool greatest) {
  for (const auto &[counter, count] : trips) {
    auto found = position.terms.find(counter);
    if (found == position.terms.end())
      continue;
    bool last = (found->second > 0) == greatest;
    position = position.with(counter, last ? count - 1 : Affine(0));
  }
  return position;
}

/// True if the acquire never takes the slot that the release gives back.
static bool neverMeet(const Site &acquire, const Site &release, int64_t stages,
                      const RoleCounts &producer, const RoleCounts &consumer) {
  auto bound = [](const Site &site, const RoleCounts &role, bool greatest) {
    return extreme(site.position, role.counterTrips, greatest);
  };
  Affine tooLate = bound(release, consumer, false) + stages - bound(acquire, producer, true);
  Affine tooEarly = bound(acquire, producer, false) - bound(release, consumer, true) - stages;
  return tooLate.isPositive() || tooEarly.isPositive();
}

/// True if before the acquire at least as many slots of `other` are committed as are waited for
/// before the release.
static bool filledBefore(const Site &acquire, const Site &release, unsigned other, int64_t stages) {
  std::optional<int64_t> ahead = (acquire.counts[other] - acquire.position).asConstant(),
                         needed = (release.counts[other] - release.position).asConstant();
  if (ahead && needed)
    return stages + *ahead - *needed >= 0;
  return (acquire.counts[other] - release.counts[other] + 1).isPositive();
}

void tilec::protocol::checkOrder(const Program &program, const RoleCounts &producer,
                                 const RoleCounts &consumer, std::vector<Fault> &faults) {
  for (const Site &acquire : producer.sites) {
    const Channel &channel = program.channels[acquire.channel];
    std::optional<int64_t> uses = producer.uses[acquire.channel].asConstant();
    if (uses && *uses <= channel.stages)
      continue;
    for (const Site &release : consumer.sites) {
      if (release.channel != acquire.channel ||
          neverMeet(acquire, release, channel.stages, producer, consumer))
        continue;
      for (unsigned other = 0; other < program.channels.size(); ++other)
        if (!filledBefore(acquire, release, other, channel.stages)) {
          faults.push_back(
              {acquire.source,
               "channel '" + channel.name +
                   "': waits here for a slot that the consumers give back only after a slot "
                   "of '" +
                   program.channels[other].name +
                   "' that is filled later; expected more stages or another order"});
          return;
        }
    }
  }
}

std::vector<Fault> tilec::protocol::prove(const Program &program) {
  std::vector<Fault> faults;
  for (const Channel &channel : program.channels)
    if (int64_t made = program.groups * channel.releaseCount; made != channel.arrivals)
      faults.push_back(
          {channel.source, "channel '" + channel.name + "': a slot counts as empty after " +
                               std::to_string(channel.arrivals) + " arrivals, its releases make " +
                               std::to_string(made)});
  for (const Channel &channel : program.channels)
    if (channel.commitCount != channel.fillArrivals)
      faults.push_back({channel.source,
                        "channel '" + channel.name + "': a slot counts as full after " +
                            std::to_string(channel.fillArrivals) + " arrivals, filling it makes " +
                            std::to_string(channel.commitCount)});
  unsigned nextSymbol = program.symbols + program.guards;
  RoleCounts producer = countRole(program, /*producer=*/true, nextSymbol, faults);
  RoleCounts consumer = countRole(program, /*producer=*/false, nextSymbol, faults);
  for (size_t i = 0; i < program.channels.size(); ++i)
    if (producer.uses[i] != consumer.uses[i])
      faults.push_back({program.channels[i].source,
                        "channel '" + program.channels[i].name +
                            "': the producer and the consumers use different numbers of slots"});
  if (faults.empty())
    checkOrder(program, producer, consumer, faults);
  return faults;
}
