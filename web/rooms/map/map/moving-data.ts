import type { Schemas } from '../../../base/api.ts'
import { changeDelivery } from './deliveries-data.ts'
import { movesNow } from './moving.ts'
import { t } from './says.ts'
import type { Token } from './tokens.ts'
import { changePlant, changeWorker, movePlant } from './tokens-data.ts'

/** Returns what to say once something has been moved. */
export const saidMoved = (token: Token, now: number): string =>
  t(movesNow(token, now) ? 'token.moved' : 'token.moved_only', { name: token.name })

/** Moves something on the map: from now on, or where it is planned. */
export async function moveToken(token: Token, place: Schemas['GivenPlace'], now: number): Promise<void> {
  if (token.token === 'worker') await changeWorker(token, { place })
  else if (token.token === 'delivery') await changeDelivery(token, { place })
  else if (movesNow(token, now)) await movePlant(token, place)
  else await changePlant(token, { place })
}
