// The page on which people see where they are signed in, and sign devices out. It works from any device, also a borrowed one, after the password.
import type { FastifyInstance } from 'fastify'
import type { House } from '../../../base/ctx.ts'
import { type AccountRow, accountBehind, devicesOf, mintAccountToken, signIn, signOutDevices, TOKEN_LIFETIME } from '../../accounts/door.ts'
import { devicesPage, whoseDevicesPage } from './device-pages.ts'
import { faultOfSignIn, send, typedIn } from './reading.ts'

const PATH = '/oidc/devices'

/** Adds the page to the server. */
export function devicePages(app: FastifyInstance, house: House): void {
  const home = `${house.settings.public_url}/`
  const list = async (account: AccountRow, token: string, said: string | null) =>
    devicesPage({ name: account.name, token, devices: await devicesOf(house, account), said, app_url: home })

  app.get(PATH, (_request, reply) => send(reply, whoseDevicesPage({ fault: null })))

  app.post(PATH, async (request, reply) => {
    const { token, end, email = '', password = '' } = typedIn(request)
    if (token !== undefined) {
      const account = await accountBehind(house, token, 'devices')
      if (account === null)
        return send(reply, whoseDevicesPage({ fault: 'You can use this page for ten minutes. Enter your password again.' }), 422)
      const families = end === 'all' ? (await devicesOf(house, account)).map(one => one.family) : [end ?? '']
      const ended = await signOutDevices(house, account, families)
      const said = ended === 0 ? 'This device was already signed out.' : ended === 1 ? 'Signed out.' : `Signed out on ${ended} devices.`
      return send(reply, await list(account, token, said))
    }
    const judged = await signIn(house, { email: email.trim(), password, address: request.ip })
    if (judged.outcome === 'throttled' || judged.outcome === 'wrong') {
      const { fault, status } = faultOfSignIn(reply, judged)
      return send(reply, whoseDevicesPage({ email, fault }), status)
    }
    const ticket = await mintAccountToken(house, judged.account.id, 'devices', TOKEN_LIFETIME.devices)
    return send(reply, await list(judged.account, ticket, null))
  })
}
