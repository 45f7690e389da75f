#!/bin/sh
# Runs a program, and runs it again whenever it ends; the file `down` says for how many seconds it is gone.
trap 'kill -KILL "$program"; exit' TERM
printf '%s\n' "$@" > arguments
while :; do
  PROGRAM "$@" &
  program=$!
  echo "$program" > new-pid && mv new-pid pid
  wait "$program"
  sleep "$(cat down)"
done
