/** Requests to the pages of the admin console as a browser sends them that is logged in, without a browser. */
import { administrator } from '../../../test/bed/administrator.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import type { FormFields, ServiceResponse } from '../../../test/bed/service-request.ts'
import { nextAddress } from './arrange.ts'

type Service = Pick<DistributionService, 'url' | 'request'>

export interface PageSession {
  /** The value of the header `cookie`. */
  readonly cookie: string
  /** Asks for a page; `to` is below `/admin/`. */
  get(to: string): Promise<ServiceResponse>
  /** Sends a form of a page. */
  post(to: string, form?: FormFields): Promise<ServiceResponse>
}

/** What a browser sends with a form of a page of the service itself. */
export const fromOwnPage = ({ url }: Pick<Service, 'url'>) => ({
  origin: url,
  'sec-fetch-site': 'same-origin',
})

export const toPagePath = (to: string): string => (to === '' ? '/admin' : `/admin/${to}`)

/** Sends the form of the login. */
export const sendLogin = (
  service: Service,
  { name, password } = administrator,
  headers: Readonly<Record<string, string>> = {},
  from?: string,
): Promise<ServiceResponse> =>
  service.request('POST', '/admin/login', {
    headers: { ...fromOwnPage(service), ...headers },
    form: { username: name, password },
    ...(from !== undefined && { from }),
  })

/** Logs in, from an address of its own: some platforms only count log-ins. Throws when the service refuses it. */
export async function openPageSession(
  service: Service,
  account = administrator,
): Promise<PageSession> {
  const response = await sendLogin(service, account, {}, nextAddress())
  const cookie = readCookie(response)
  if (cookie === undefined) throw new Error(`Cannot sign in: ${response.status} ${response.text}`)
  return usePageSession(service, cookie)
}

/** The same with a cookie that is there. */
export const usePageSession = (service: Service, cookie: string): PageSession => ({
  cookie,
  get: (to) => service.request('GET', toPagePath(to), { headers: { cookie } }),
  post: (to, form = {}) =>
    service.request('POST', toPagePath(to), { headers: { ...fromOwnPage(service), cookie }, form }),
})

/** The cookie that a response sets, as the next request sends it. */
export const readCookie = ({ headers }: ServiceResponse): string | undefined =>
  headers.get('set-cookie')?.split(';')[0]
