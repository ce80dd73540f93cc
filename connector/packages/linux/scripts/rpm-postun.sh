if [ "$1" -eq 0 ]; then
  remove_runtimes
  remove_state
  if booted; then systemctl daemon-reload || true; fi
fi
