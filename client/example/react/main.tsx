/** Starts the page: the token from its back end, the port of the registry from its own address. */
import { CardwireProvider } from '@cardwire/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

async function getToken({ signal }: { readonly signal: AbortSignal }): Promise<string> {
  const response = await fetch('/token', { signal, redirect: 'manual' })
  if (!response.ok) throw new Error(`Cannot get a token: ${await response.text()}`)
  return response.text()
}

const port = new URLSearchParams(location.search).get('port') ?? undefined
const place = document.getElementById('root')
if (!place) throw new Error('Cannot find #root in the page')
createRoot(place).render(
  <StrictMode>
    <CardwireProvider
      getToken={getToken}
      applicationDomain="shop"
      dsUrl="https://ds.example"
      t1cApiPort={port}
    >
      <App />
    </CardwireProvider>
  </StrictMode>,
)
