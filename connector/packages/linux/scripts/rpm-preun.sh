if [ "$1" -eq 0 ]; then
  stop_processes
  untrust
  systemctl --no-reload disable "$registry" >/dev/null 2>&1 || true
  systemctl --no-reload --global disable "$agent" >/dev/null 2>&1 || true
fi
