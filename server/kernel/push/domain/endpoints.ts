// The endpoints that can be called: those of the configured push services, and no others.

/** A push service: a name, or `*.` and a name; on port 443 or its own port. */
export type Service = { host: string; port: string; own: boolean }

const serviceOf = (text: string, own: boolean): Service => {
  const [host = '', port = ''] = text.toLowerCase().split(':')
  return { host, port: port === '443' ? '' : port, own }
}

/** Lists an installation's services. Those on its own network can have another port, and private addresses. */
export const servicesOf = (services: readonly string[], own: readonly string[]): Service[] => [
  ...services.map(text => serviceOf(text, false)),
  ...own.map(text => serviceOf(text, true)),
]

const names = (service: Service, host: string) =>
  service.host.startsWith('*.') ? host.endsWith(service.host.slice(1)) && host.length > service.host.length - 1 : service.host === host

/** Returns the service that an endpoint belongs to; null if it belongs to none. */
export function serviceFor(endpoint: string, services: readonly Service[]): Service | null {
  if (!URL.canParse(endpoint)) return null
  const { protocol, hostname, port, username, password } = new URL(endpoint)
  if (protocol !== 'https:' || username !== '' || password !== '') return null
  return services.find(service => names(service, hostname) && service.port === port && (service.own || port === '')) ?? null
}
