// Requests of the invitation page. They work without signing in.
import { useQuery } from '@tanstack/react-query'
import { ask, client, freshKey, type Schemas } from '../../../base/api.ts'
import { asFault } from '../../../base/fault.ts'
import { queries } from '../../../base/query.ts'
import { ME } from '../../../base/site.tsx'

/** A site as the person with an invitation sees it. */
export type InvitedSite = Schemas['PublicSite']
/** What an invitation gives. */
export type Given = NonNullable<InvitedSite['invite']>
/** The contractor of the person who joins: one from the list, or a typed name. */
export type Contractor = { contractor_id?: string; contractor_name?: string }

/** The token is sent in a header or a body, because servers on the way log URLs. */
const withToken = (token: string) => ({ params: { header: { 'X-Link-Token': token } } })

/** The site of a token, with the invitation. */
export const useInvitation = (token: string) =>
  useQuery({
    queryKey: ['join', token],
    queryFn: async () => {
      const [site] = await ask(client.GET('/sites/public', withToken(token)))
      return site ?? null
    },
    enabled: token !== '',
    // At a site entrance many people share one network address: the page itself retries a request that was rate-limited.
    retry: (count, error) => asFault(error).status === 429 && count < 6,
    retryDelay: 10_000,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Contractors to choose from. */
export const useContractorsToPick = (token: string, asked: boolean) =>
  useQuery({
    queryKey: ['join', token, 'contractors'],
    queryFn: () => ask(client.GET('/contractors/public', withToken(token))),
    enabled: asked,
  })

/** Joins the site as the signed-in person. */
export async function accept(token: string, contractor: Contractor): Promise<Schemas['Membership']> {
  const membership = await ask(client.POST('/invite-links/accept', { body: { token, ...contractor }, headers: freshKey() }))
  await queries.invalidateQueries({ queryKey: ME })
  return membership
}

/** Creates an account and the membership together. */
export const register = (token: string, body: Schemas['Register']): Promise<Schemas['Registered']> =>
  ask(client.POST('/invite-links/register', { body: { token, ...body }, headers: freshKey() }))

const JOINING = 'walkdown.joining'

/** Remembers, for this window, that the person is signing in to join with this token, so that no second tap is needed afterwards. */
export const rememberJoining = (token: string): void => sessionStorage.setItem(JOINING, token)

/** Returns whether this window signed in for this token; true only once. */
export function cameBackToJoin(token: string): boolean {
  const came = sessionStorage.getItem(JOINING) === token
  if (came) sessionStorage.removeItem(JOINING)
  return came
}
