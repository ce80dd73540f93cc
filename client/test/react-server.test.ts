/** The components for React on a server: they show the first state, and nothing is requested. */
import { createConnection } from '@cardwire/client/connection'
import { CardwireBoundary, CardwireProvider, Connect, useCard, useReaders } from '@cardwire/react'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createTestConnector, createTestToken } from '../src/testing/index.ts'

function Statuses() {
  return createElement('p', {}, `${useReaders().status} ${useCard().status}`)
}

test('a server renders the first step, and neither fetches a token nor looks for a connector', async () => {
  proves('react-states')
  const connector = createTestConnector()
  const getToken = vi.fn(async () => createTestToken())
  const connection = createConnection({ initialize: connector.initialize, getToken })
  const steps = createElement(
    CardwireBoundary,
    {},
    createElement(Connect, { className: 'step', heading: 'h3' }, 'the page'),
    createElement(Statuses),
  )
  const page = renderToString(
    createElement(CardwireProvider, { connection, language: 'fr-BE' }, steps),
  )
  expect(page).toBe(
    '<div tabindex="-1" class="step" data-cardwire="starting"><div role="status" aria-atomic="true" lang="fr">' +
      '<h3 tabindex="-1" data-cardwire-part="title">Recherche de votre lecteur de cartes…</h3></div></div>' +
      '<p>connecting connecting</p>',
  )
  expect([connector.requests, getToken.mock.calls]).toEqual([[], []])
})

test('a component without a provider says what is missing', () => {
  expect(() => renderToString(createElement(Connect))).toThrow(
    'Cannot find <CardwireProvider> above this component',
  )
})
