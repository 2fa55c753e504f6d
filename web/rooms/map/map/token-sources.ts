// Workers, gangs, plant and deliveries as what the map draws.
import type { ClashCounts } from './clashes/clashes.ts'
import { type Shape, shape, shapesAgain } from './collections.ts'
import { seenFrom, signsFrom } from './crowding.ts'
import { alarmOf, reachOf, saysOf, type Token, tokenSpot } from './tokens.ts'

const reachAgain = shapesAgain<Token>()
const tokensAgain = shapesAgain<Token>()

/** Returns the ground that workers, gangs and plant take up. What their signs hide isn’t drawn. */
export const reachShapes = (tokens: readonly Token[], chosen: string | null): Shape[] =>
  tokens.flatMap(token =>
    reachAgain(token, [token.id === chosen], () =>
      reachOf(token).map(({ part, ground, radius_m }, i) => {
        const from = radius_m === null || token.id === chosen ? 0 : seenFrom(radius_m, tokenSpot(token)?.[1] ?? 0)
        return shape(ground, { key: `${token.id} ${i}`, id: token.id, part, from, colour: token.colour, chosen: token.id === chosen })
      }),
    ),
  )

/** Returns workers, gangs and plant themselves; a red clash is a mark on them. */
export function tokenShapes(tokens: readonly Token[], chosen: string | null, counts: ClashCounts): Shape[] {
  const apart = signsFrom(tokens)
  return tokens.flatMap(token => {
    const spot = tokenSpot(token)
    if (spot === null) return []
    const alarm = alarmOf(token) !== null || (counts.get(token.id)?.red ?? 0) > 0
    const from = token.id === chosen ? 0 : apart
    return tokensAgain(token, [token.id === chosen, alarm, from], () => {
      const drawn = { token: token.token, says: saysOf(token), colour: token.colour, alarm, from }
      return [shape({ type: 'Point', coordinates: [...spot] }, { id: token.id, ...drawn, chosen: token.id === chosen })]
    })
  })
}
