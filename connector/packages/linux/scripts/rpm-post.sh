make_account
install -d -m 0755 -o "$account" -g "$account" "$state"
take_over
if [ "$1" -eq 1 ] && [ "$was_disabled" = no ]; then
  systemctl --no-reload preset "$registry" >/dev/null 2>&1 || true
fi
if [ "$1" -eq 1 ]; then systemctl --no-reload --global preset "$agent" >/dev/null 2>&1 || true; fi
if booted; then systemctl daemon-reload || true; fi
if [ -d "$resume" ]; then
  start_remembered
  trust_registry
elif [ "$1" -eq 1 ]; then
  if booted && systemctl --quiet is-enabled "$registry"; then systemctl restart "$registry" || true; fi
  # Before the first connectors: they have the browsers of their users trust its root.
  trust_registry
  start_in_sessions
fi
