#!/bin/sh
# Runs one shard of an experiment: run-shard.sh INDEX, where INDEX counts from 0. Its environment variables:
#   EXPERIMENT  the name of the experiment, and SHARDS, the number of shards;
#   RESULTS     the folder that all shards share, or that is collected afterwards;
#   LAB_OPTIONS further options of the lab, such as --runs 20 (the same for every shard).
# The process is the lab itself, not npm, so that the cluster's signal reaches the lab, which then stops and keeps
# finished runs. To resume a lost shard, start it again with the same arguments.
set -eu
shard=$(($1 + 1))
# shellcheck disable=SC2086 # LAB_OPTIONS must be split into words
exec node --import tsx tools/main.ts lab run "$EXPERIMENT" --shard "$shard/$SHARDS" \
  --out "$RESULTS/$EXPERIMENT-$shard-of-$SHARDS" --resume ${LAB_OPTIONS:-}
