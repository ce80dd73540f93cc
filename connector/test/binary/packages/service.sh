# A distribution service in a booted machine, and what a user does with it. In /repository: the sources. In /packages: the package of
# version 900.0.0 with its manifest, and keystore.p12.
node=/repository/node_modules/node/bin/node
ds=http://127.0.0.1:8080
administer() {
  "$node" /repository/connector/test/binary/packages/administer.ts "$ds" "$@" 2>>/results/administer.log
}

# start_distribution_service ORIGIN: as an administrator runs one, with the version published by the command for that.
start_distribution_service() {
  password=the-first-administrators-password
  mkdir -p /srv/ds/packages /srv/ds/keystores
  cp /packages/keystore.p12 /srv/ds/keystores
  systemd-run --quiet --unit=ds --working-directory=/repository --setenv=DS_ADMIN_PASSWORD="$password" --setenv=DS_PORT=8080 \
    --setenv=DS_DATABASE=/srv/ds/ds.sqlite --setenv=DS_PACKAGES_DIR=/srv/ds/packages --setenv=DS_STAMP_INSTALLERS=on --setenv=DS_CYCLE=1 \
    "$node" /repository/ds/dist/node.js
  wait_for 20 curl -fsS "$ds/health"
  echo "$password" | "$node" /repository/connector/publish/main.ts --ds "$ds" --version 900.0.0 --folder /packages >/results/publish.log 2>&1
  fact publish.status $?
  administer configure 900.0.0 "$1"
}

download_package() { runuser -u alice -- curl -fsS -o /tmp/cardwire.deb "$ds/v3/downloads/installers/unix"; }
install_downloaded() {
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq /tmp/cardwire.deb >/results/apt.log 2>&1 </dev/null
}

# start_desktop USER: a display with a clipboard, which programs of that user's session find.
start_desktop() {
  Xvfb :7 -noreset >/dev/null 2>&1 &
  systemctl --user -M "$1@.host" set-environment DISPLAY=:7
}
# start_card COMMAND...: the reader is there as soon as a program asks pcscd for it; the card is in it while the command runs.
start_card() {
  systemd-run --quiet --unit=card --property=Restart=always --property=RestartSec=0.2 --property=StartLimitIntervalSec=0 "$@"
}

machine_good() { grep -q '"standing":"good"' /var/lib/cardwire/public/service.json; }
user_good() { runuser -u "$1" -- cardwire status | grep -q "organization .*$ds.*in sync"; }
