/**
 * The part of the script that sends a form with a file (installers/upload-fields.tsx, which has its texts): with progress, and a button that stops it.
 * Its answer is shown as without the script: a redirect is followed, any other page is put in place of the content, whatever its status is, with
 * the chosen file kept where something has to be corrected. An answer that is no page of the admin console is one of a proxy: the form stays.
 * Several files are sent one after the other, and each page that answers says the hash of its file.
 */

export const uploadScript = `
function offerSeveralFiles(root) {
  for (const input of root.querySelectorAll('[data-several]')) {
    input.multiple = true
    document.getElementById('file-hint').append(' ' + input.dataset.several)
  }
}

// Puts a page in place of the content, with the file that was chosen before.
function showAnswer(page, file) {
  const answer = page.querySelector('main')
  const chosen = answer.querySelector('[type=file]')
  // The way back leads to the form.
  history.replaceState('form', '')
  history.pushState('answer', '')
  addEventListener('popstate', ({ state }) => { if (state === 'form') location.reload() })
  document.title = page.title
  document.querySelector('main').replaceWith(answer)
  if (chosen) {
    for (const name of ['aria-invalid', 'aria-describedby']) {
      if (chosen.hasAttribute(name)) file.setAttribute(name, chosen.getAttribute(name))
      else file.removeAttribute(name)
    }
    chosen.replaceWith(file)
  }
  improve(answer)
  scrollTo(0, 0)
  const wrong = answer.querySelector('[aria-invalid=true]')
  if (wrong) wrong.focus()
  else answer.focus()
}

// Shows the files that are saved by now.
function refreshFiles() {
  const request = new XMLHttpRequest()
  request.onload = () => {
    const files = request.response && request.response.querySelector('[data-files]')
    if (files) document.querySelector('[data-files]').replaceWith(files)
  }
  request.open('GET', location.href)
  request.responseType = 'document'
  request.send()
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!('upload' in form.dataset)) return
  event.preventDefault()
  const find = (selector) => form.querySelector(selector)
  const [file, progress, sent, submit, cancel, status] =
    ['[type=file]', '[data-progress]', '[data-sent]', '[type=submit]', '[data-cancel]', '[role=status]'].map(find)
  const digits = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const megabytes = (bytes) => digits.format(bytes / 1e6)
  const describeTooLarge = ({ size }) => form.dataset.tooLarge.replace('{size}', megabytes(size))
  const refuse = (text, field) => {
    status.textContent = text
    field.focus()
  }
  const files = [...file.files]
  const isOne = files.length < 2
  const tooLarge = files.find(({ size }) => size > Number(file.dataset.maxBytes))
  if (tooLarge) return refuse(describeTooLarge(tooLarge), file)
  const ofOne = isOne ? undefined : ['name', 'sha256'].map((name) => form.elements[name]).find(({ value }) => value)
  if (ofOne) return refuse(form.dataset.onlyOne, ofOne)
  const results = find('[data-results]')
  if (results) results.replaceChildren()
  const left = [...files]
  const request = new XMLHttpRequest()
  const isRunning = (running) => {
    progress.hidden = cancel.hidden = !running
    submit.disabled = running
  }
  // reason: said also where other files are saved.
  const end = (text, reason) => {
    isRunning(false)
    const hasSaved = results && results.children.length > 0
    const lines = hasSaved && left.length > 0 ? [reason, form.dataset.partly] : [text]
    status.textContent = lines.filter(Boolean).join(' ')
    if (hasSaved) refreshFiles()
  }
  const endWith = (text) => end(text, text)
  // What came as a whole may be saved, although no page says so.
  let isReceived
  const stop = (text) => (isReceived ? endWith(form.dataset.unconfirmed) : end(text))
  const addResult = (name, hash) => {
    const item = document.createElement('li')
    const code = document.createElement('code')
    code.textContent = hash
    item.append(form.dataset.result.replace('{name}', () => name), code)
    results.append(item)
  }
  cancel.onclick = () => request.abort()
  request.upload.onprogress = ({ loaded, total }) => {
    progress.querySelector('progress').value = loaded / total
    sent.textContent = sent.dataset.sent.replace('{sent}', megabytes(loaded)).replace('{total}', megabytes(total))
  }
  request.upload.onload = () => {
    isReceived = true
    status.textContent = form.dataset.received
  }
  request.onabort = () => stop(form.dataset.canceled)
  request.onerror = () => stop(form.dataset.failed)
  request.onload = () => {
    const { response: page, responseURL } = request
    const hash = page && page.querySelector('main #sha256')
    if (!isOne && request.status < 400 && hash) {
      addResult(page.querySelector('h1').textContent, hash.textContent)
      left.shift()
      if (left.length > 0) return send()
      file.value = ''
      return end(form.dataset.all)
    }
    if (responseURL !== form.action) return location.assign(responseURL)
    if (page && page.querySelector('main')) return showAnswer(page, file)
    endWith(request.status === 413 ? describeTooLarge(left[0]) : form.dataset.unconfirmed + ' (HTTP ' + request.status + ')')
  }
  const send = () => {
    isReceived = false
    const data = new FormData(form)
    if (!isOne) data.set('file', left[0])
    request.open('POST', form.action)
    request.responseType = 'document'
    status.textContent = [form.dataset.started, ...(isOne ? [] : [left[0].name])].join(' ')
    request.send(data)
  }
  isRunning(true)
  cancel.focus()
  send()
})
`
