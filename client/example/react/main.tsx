/** Starts the page: the token from its back end, the address of the registry from its own address. */
import { initialize } from '@cardwire/client'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import type { Connect } from './use-cardwire.ts'

const fetchToken = async (): Promise<string> => {
  const response = await fetch('/token', { redirect: 'manual' })
  if (!response.ok) throw new Error(`Cannot get a token: ${await response.text()}`)
  return response.text()
}

const port = new URLSearchParams(location.search).get('port')
const configuration = {
  applicationDomain: 'shop',
  jwt: await fetchToken(),
  ...(port !== null && { t1cApiPort: port }),
}
const connect: Connect = (settings, options) =>
  initialize(settings, { ...options, onTokenExpired: fetchToken })

const place = document.getElementById('root')
if (!place) throw new Error('Cannot find #root in the page')
createRoot(place).render(
  <StrictMode>
    <App connect={connect} configuration={configuration} />
  </StrictMode>,
)
