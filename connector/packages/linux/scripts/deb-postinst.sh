# Only what was enabled before is enabled again.
enable_unit() {
  if deb-systemd-helper "$@" --quiet was-enabled "$unit"; then
    deb-systemd-helper "$@" enable "$unit" >/dev/null || true
  else
    deb-systemd-helper "$@" update-state "$unit" >/dev/null || true
  fi
}

enable_units() {
  unit=$registry
  if [ "$was_disabled" = yes ]; then
    deb-systemd-helper update-state "$unit" >/dev/null || true
  else
    enable_unit --system
  fi
  unit=$agent
  enable_unit --user
}

case $1 in
  configure)
    make_account
    install -d -m 0755 -o "$account" -g "$account" "$state"
    take_over
    if booted; then systemctl daemon-reload || true; fi
    if [ -d "$resume" ]; then
      start_remembered
      enable_units
      trust_registry
    else
      enable_units
      if booted && systemctl --quiet is-enabled "$registry"; then
        deb-systemd-invoke restart "$registry" || true
      fi
      # Before the first connectors: they have the browsers of their people trust its root.
      trust_registry
      start_in_sessions
    fi
    ;;
  abort-upgrade | abort-remove | abort-deconfigure)
    if booted; then systemctl daemon-reload || true; fi
    if [ -d "$resume" ]; then start_remembered; fi
    trust_registry
    ;;
esac
