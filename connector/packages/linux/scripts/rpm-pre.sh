if [ "$1" -gt 1 ]; then
  remember
  stop_processes
fi
