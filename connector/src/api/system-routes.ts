/** The endpoints about the connector: information, version, keys, logs, synchronization, and the calling browser. */
import { getSyncState, synchronise } from '@cardwire/protocol/connector-sync'
import {
  getBrowser,
  getConnectorVersion,
  getDeviceCertificate,
  getDeviceKey,
  getInfo,
  pushLogs,
  stopConnector,
} from '@cardwire/protocol/connector-system'
import { Problem } from '@cardwire/protocol/problem'
import { createPublicInfo } from '../http/public-info.ts'
import type { Bind } from '../http/route-types.ts'
import { errorText } from '../system/error-text.ts'
import type { ApiServices } from './api-services.ts'
import { identifyCaller } from './authorize.ts'
import { createFullInfo } from './full-info.ts'

export function bindSystemRoutes(bind: Bind, services: ApiServices): void {
  const { deviceEncryptionKey, version, distribution } = services

  bind(getInfo, async (_, context) => {
    const caller = await identifyCaller(services, context)
    const data = caller ? createFullInfo(services, context.env.port) : createPublicInfo(version)
    return {
      success: true as const,
      data,
      ...data,
      signature: deviceEncryptionKey.sign(JSON.stringify(data)),
    }
  })

  bind(getConnectorVersion, async () => ({ data: { version } }))

  bind(getDeviceKey, async () => ({ data: deviceEncryptionKey.publicKey }))

  bind(getDeviceCertificate, async () => ({
    data: {
      certificate: deviceEncryptionKey.certificate,
      fingerprint: deviceEncryptionKey.fingerprint,
    },
  }))

  bind(getBrowser, async (_, context) => {
    // Loaded only when needed: few pages call this.
    const { detectBrowser } = await import('./detect-browser.ts')
    return { data: detectBrowser((name) => context.req.header(name)) }
  })

  bind(pushLogs, async (_, context) => {
    if (!distribution) throw createLogsKept('this connector has no distribution service')
    context.env.keepOpen()
    try {
      await distribution.pushLogs()
    } catch (error) {
      throw createLogsKept(errorText(error))
    }
    return { data: { pushed: true } }
  })

  bind(stopConnector, async () => {
    // The response goes first.
    setTimeout(services.stop)
    return { data: { stopping: true as const } }
  })

  bind(getSyncState, async () => ({
    data: distribution?.syncState() ?? { standing: 'unmanaged' as const },
  }))

  bind(synchronise, async (_, context) => {
    if (distribution === undefined) return { data: { standing: 'unmanaged' as const } }
    context.env.keepOpen()
    return { data: await distribution.synchronize() }
  })
}

const createLogsKept = (reason: string): Problem =>
  new Problem('logs-kept', `Cannot send the logs: ${reason}`)
