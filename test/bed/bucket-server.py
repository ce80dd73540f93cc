"""OpenStack Swift in one process, with its S3 interface: bucket-server.py FOLDER PORT ACCESS_KEY SECRET_KEY.

Prints "ready" when it listens. It writes to FOLDER only.
"""

import logging
import os
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi  # noqa: E402
from swift.common import utils  # noqa: E402

folder, port, access_key, secret_key = sys.argv[1:]
disk = os.path.join(folder, 'devices', 'disk')
os.makedirs(disk, exist_ok=True)


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return path


utils.SWIFT_CONF_FILE = write(
    'swift.conf',
    '[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n'
    '[storage-policy:0]\nname = only\ndefault = yes\n',
)

from swift.common import storage_policy  # noqa: E402

storage_policy.reload_storage_policies()

from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.wsgi import loadapp  # noqa: E402

stores = ('object', 'container', 'account')
sockets = {kind: eventlet.listen(('127.0.0.1', 0)) for kind in stores}
for kind, socket in sockets.items():
    address = {'ip': '127.0.0.1', 'port': socket.getsockname()[1]}
    replication = {'replication_' + name: value for name, value in address.items()}
    builder = RingBuilder(4, 1, 0)
    builder.add_dev(
        {'region': 1, 'zone': 1, 'device': 'disk', 'weight': 1, **address, **replication}
    )
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, kind + '.ring.gz'))

common = f"""[DEFAULT]
swift_dir = {folder}
devices = {os.path.dirname(disk)}
mount_check = false
disable_fallocate = true
"""
configurations = {
    kind: f'{common}[pipeline:main]\npipeline = server\n[app:server]\nuse = egg:swift#{kind}\n'
    for kind in stores
}
account, user = access_key.split(':')
filters = {
    'catch_errors': '',
    # It has to be there; nothing answers.
    'memcache': 'memcache_servers = 127.0.0.1:1\n',
    'listing_formats': '',
    's3api': 'location = us-east-1\nstorage_domain = localhost\n',
    'tempauth': f'user_{account}_{user} = {secret_key} .admin\n',
    'bulk': '',
    'slo': '',
}
configurations['proxy'] = (
    common
    + f'[pipeline:main]\npipeline = {" ".join(filters)} proxy-server\n'
    + '[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n'
    + ''.join(
        f'[filter:{name}]\nuse = egg:swift#{name}\n{options}' for name, options in filters.items()
    )
)

logger = logging.getLogger('swift-bed')
logger.addHandler(logging.NullHandler())
sockets['proxy'] = eventlet.listen(('127.0.0.1', int(port)))
for kind, configuration in configurations.items():
    app = loadapp(write(kind + '.conf', configuration))
    eventlet.spawn(wsgi.server, sockets[kind], app, log=logger, log_output=False)
print('ready', flush=True)
while True:
    eventlet.sleep(3600)
