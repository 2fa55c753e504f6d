import { createServer } from 'node:net'
import { codeIn } from '../../shared/narrow.ts'

/** Returns why this port can't be used, in a sentence with what to do; null if it is free. */
export function portFault(host: string, port: number): Promise<string | null> {
  return new Promise(done => {
    const probe = createServer()
    probe.once('error', error => done(listenFault(error, host, port)))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => done(null)))
  })
}

/** Returns the same sentence for an error of the system. */
export function listenFault(error: Error, host: string, port: number): string {
  const code = codeIn(error)
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is used by another program. Stop that program, or set PORT to another number.`
  if (code === 'EACCES') return `This account can’t listen on port ${port}. Set PORT to a number of 1024 or more.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST ${host} isn’t an address of this machine. Set HOST to 127.0.0.1 for this machine only, or to 0.0.0.0 for every address.`
  return `Nothing can listen on port ${port} of ${host}: ${error.message}.`
}
