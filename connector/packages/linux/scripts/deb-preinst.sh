# Last before the files are replaced, so that the registry is away for a short time.
if [ "$1" = upgrade ]; then
  remember
  stop_processes
fi
