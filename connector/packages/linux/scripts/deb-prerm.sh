if [ "$1" = remove ]; then
  remember
  stop_processes
  untrust
fi
