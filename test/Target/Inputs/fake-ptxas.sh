#!/bin/sh
# Stands for ptxas in tests of what is made of its words: prints the file FAKE_PTXAS_LOG.
cat "$FAKE_PTXAS_LOG"
exit "${FAKE_PTXAS_STATUS:-0}"
