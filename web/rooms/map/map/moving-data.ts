import type { Schemas } from '../../../base/api.ts'
import { changeDelivery } from './deliveries-data.ts'
import { t } from './says.ts'
import type { Token } from './tokens.ts'
import { changePlant, changeWorker, movePlant } from './tokens-data.ts'

/** Returns what to say once something has been moved: only a machine has another position from now on, and stays where it was on the map of before. */
export const saidMoved = (token: Token): string =>
  t(token.token === 'plant' && token.schedule_group_id === null ? 'token.moved' : 'token.moved_only', { name: token.name })

/** Moves something on the map. A machine has another position from now on, and stays where it was on the map of before; a gang or a delivery is where it is said to be. */
export async function moveToken(token: Token, place: Schemas['GivenPlace']): Promise<void> {
  if (token.token === 'worker') await changeWorker(token, { place })
  else if (token.token === 'delivery') await changeDelivery(token, { place })
  else if (token.schedule_group_id === null) await movePlant(token, place)
  else await changePlant(token, { place })
}
