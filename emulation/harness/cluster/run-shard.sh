#!/bin/sh
# One shard of an experiment, as every engine starts it: run-shard.sh INDEX, where INDEX counts from 0, with
#   EXPERIMENT  what is run, and SHARDS, into how many parts;
#   RESULTS     the folder that all shards share, or that is gathered afterwards;
#   LAB_OPTIONS what else is asked for, such as --runs 20 (the same for every shard).
# One process, without npm before it: an engine that ends it reaches the lab, which keeps what is finished.
# A shard that was lost is started again with the same words: what it had finished stays.
set -eu
shard=$(($1 + 1))
# shellcheck disable=SC2086 # options are words
exec node --import tsx tools/main.ts lab run "$EXPERIMENT" --shard "$shard/$SHARDS" \
  --out "$RESULTS/$EXPERIMENT-$shard-of-$SHARDS" --resume ${LAB_OPTIONS:-}
