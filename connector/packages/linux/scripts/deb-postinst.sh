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

# What the service wrote into this package as it served it. A package without values leaves those of the one before: dpkg has
# dropped that one's slot by now. The folder is root's: the settings decide whom connectors trust.
keep_stamped_values() {
  slot=${DPKG_ADMINDIR:-/var/lib/dpkg}/info/cardwire.slot
  if ! grep -q '^CARDWIRE_' "$slot" 2>/dev/null; then return 0; fi
  install -d -m 0755 /etc/cardwire
  grep -E '^CARDWIRE_(DS_URL|INSTALLATION_KEY|DS_FINGERPRINTS)=' "$slot" >/etc/cardwire/installed.conf.new
  chmod 0644 /etc/cardwire/installed.conf.new
  mv -f /etc/cardwire/installed.conf.new /etc/cardwire/installed.conf
  # One file has the key for everybody, not two.
  chmod 0600 "$slot"
}

case $1 in
  configure)
    make_account
    install -d -m 0755 -o "$account" -g "$account" "$state"
    keep_stamped_values
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
      # Before the first connectors: they have the browsers of their users trust its root.
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
