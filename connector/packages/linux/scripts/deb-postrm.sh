case $1 in
  remove)
    rm -rf "$resume"
    if booted; then systemctl daemon-reload || true; fi
    ;;
  purge)
    deb-systemd-helper --system purge "$registry" >/dev/null || true
    deb-systemd-helper --user purge "$agent" >/dev/null || true
    remove_runtimes
    remove_state
    ;;
esac
