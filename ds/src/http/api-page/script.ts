/** The script of the page at /docs: the filter, and the forms that send operations. Text, because it runs in browsers. */

export const script = String.raw`'use strict'
// Relative to the page: whatever name the service has in this browser, and whatever path a proxy puts before it.
const address = new URL('.', location.href).href.replace(/\/$/, '')
for (const element of document.querySelectorAll('.address')) element.textContent = address

// A user who is signed in to the admin console sends requests with that session: the token never gets into this page.
let hasSession = false
async function findSession() {
  const response = await fetch(address + '/admin/session', { cache: 'no-store', redirect: 'manual' })
  const { name } = response.ok ? await response.json() : {}
  hasSession = name !== undefined
  document.getElementById('session').hidden = !hasSession
  document.getElementById('no-session').hidden = hasSession
  if (hasSession) document.getElementById('session-name').textContent = name
}
void findSession().catch(() => {})

const operations = [...document.querySelectorAll('.operation')]

function applyFilter() {
  const words = filter.value.toLowerCase().split(/\s+/)
  for (const operation of operations)
    operation.hidden = !words.every((word) => operation.dataset.search.includes(word))
  for (const group of document.querySelectorAll('section.group')) {
    group.hidden = !group.querySelector('.operation:not([hidden])')
    document.querySelector('nav [data-group="' + group.dataset.group + '"]').hidden = group.hidden
  }
  const shown = operations.filter((operation) => !operation.hidden).length
  const all = operations.length + ' operations'
  document.getElementById('count').textContent = words.join('') ? shown + ' of ' + all : all
}
const filter = document.getElementById('filter')
filter.addEventListener('input', applyFilter)
applyFilter()

function openTarget() {
  const target = document.getElementById(location.hash.slice(1))
  if (!target || !target.matches('.operation')) return
  target.open = true
  target.scrollIntoView()
}
addEventListener('hashchange', openTarget)
openTarget()

document.addEventListener('change', ({ target }) => {
  if (target.name === 'example') target.form.elements.body.value = target.value
})
document.addEventListener('submit', (event) => {
  event.preventDefault()
  void send(event.target)
})

async function send(form) {
  const { method, token: needsToken, media } = form.dataset
  const token = document.getElementById('access-token').value.trim()
  const answer = form.querySelector('.answer')
  answer.replaceChildren()
  const isOfSession = needsToken === 'true' && !token && hasSession
  if (needsToken === 'true' && !token && !hasSession) {
    report(form, 'Not sent: sign in, or put an access token into the field at the top of the page.')
    return
  }
  report(form, 'Sending…')
  const begin = performance.now()
  try {
    const response = await fetch(createAddress(form, isOfSession ? '/admin/session' : ''), {
      method,
      headers: {
        ...(token && needsToken === 'true' && { authorization: 'Bearer ' + token }),
        ...(media && { 'content-type': media }),
      },
      ...(media && { body: form.elements.body.value }),
      redirect: 'manual',
      cache: 'no-store',
      credentials: isOfSession ? 'same-origin' : 'omit',
    })
    if (response.type === 'opaqueredirect') {
      report(form, 'The response is a redirect, which a page may not read.')
      answer.append(createLink(createAddress(form), 'Open it'))
      return
    }
    await show(form, response, begin)
  } catch (error) {
    report(form, 'No response: ' + error.message)
  }
}

const report = (form, text) => {
  form.querySelector('[role="status"]').textContent = text
}

function createAddress(form, prefix = '') {
  const path = form.dataset.path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(form.elements['path.' + name].value),
  )
  const query = new URLSearchParams()
  for (const { name, value } of form.querySelectorAll('[name^="query."]'))
    if (value) query.set(name.slice('query.'.length), value)
  return address + prefix + path + (query.size > 0 ? '?' + query : '')
}

async function show(form, response, begin) {
  const content = await response.blob()
  const ms = Math.round(performance.now() - begin)
  report(form, response.status + ' ' + response.statusText + ', ' + content.size + ' bytes, ' + ms + ' ms')
  if (content.size === 0) return
  const answer = form.querySelector('.answer')
  const type = response.headers.get('content-type') || ''
  if (!/json|text/.test(type)) {
    const link = createLink(URL.createObjectURL(content), 'Save the response')
    link.download = form.dataset.operation
    answer.append(link)
    return
  }
  const text = await content.text()
  const value = type.includes('json') ? JSON.parse(text) : undefined
  const block = document.createElement('pre')
  block.textContent = value === undefined ? text : JSON.stringify(value, null, 2)
  answer.append(block)
  if (response.ok && value !== undefined) fillFrom(form.dataset.operation, value)
}

/** Puts values of a response where other forms need them. */
function fillFrom(operation, value) {
  for (const input of document.querySelectorAll('[data-source="' + operation + '"]'))
    input.value = input.dataset.pointer.split('/').slice(1).reduce((at, step) => at?.[step], value) ?? ''
}

function createLink(href, text) {
  const link = document.createElement('a')
  link.href = href
  link.textContent = text
  return link
}
`
