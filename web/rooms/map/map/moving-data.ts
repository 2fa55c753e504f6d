import type { Schemas } from '../../../base/api.ts'
import { changeDelivery } from './deliveries-data.ts'
import type { Token } from './tokens.ts'
import { changePlant, changeWorker, movePlant } from './tokens-data.ts'

/** Moves something on the map. A machine has another position from now on, and stays where it was on the map of before; a gang or a delivery is where it is said to be. */
export async function moveToken(token: Token, place: Schemas['GivenPlace']): Promise<void> {
  if (token.token === 'worker') await changeWorker(token, { place })
  else if (token.token === 'delivery') await changeDelivery(token, { place })
  else if (token.schedule_group_id === null) await movePlant(token, place)
  else await changePlant(token, { place })
}
