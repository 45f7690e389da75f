# Runs a program ("$2" and what follows) in the folder "$1" until it ends or standard input does, which happens at the
# latest when whoever started this dies, however that comes about. The folder goes with the program.
# Ctrl-C, `timeout` and supervisors signal the whole group: the program may end at once, this shell stays to clean up.
trap '' INT HUP QUIT TERM
folder=$1
shift
cd "$folder" || exit
exec 3<&0 </dev/null >log 2>&1
# Only this shell ignores TERM.
(trap - TERM; exec "$@") 3<&- &
program=$!
{
  read -r _ <&3
  kill -TERM "$program"
  sleep 3
  kill -KILL "$program"
} &
watch=$!
wait "$program"
ended=$?
kill -KILL "$watch"
echo "$ended" > ended
# What the program said stays readable until whoever started it lets go.
read -r _ <&3
cd / && rm -rf "$folder"
rmdir "$(dirname "$folder")"
exit "$ended"
