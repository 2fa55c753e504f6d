// The requests of this room, and which queries a change makes stale.
import { useQuery } from '@tanstack/react-query'
import { ask, client, freshKey, ifMatch, type Schemas, sendForm } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'

export type Member = Schemas['Member']
export type Pending = Schemas['PendingMembership']
export type Invite = Schemas['Invite']
export type SentInvite = Schemas['SentInvite']
export type InviteLink = Schemas['InviteLink']
export type Contractor = Schemas['Contractor']
export type Role = Member['role']

/** Members of a site by state. */
export const usePeopleOn = (site_id: string, status: 'active' | 'ended') =>
  useQuery({
    queryKey: ['members', site_id, status],
    queryFn: () => ask(client.GET('/sites/{site_id}/members', { params: { path: { site_id }, query: { status: [status], limit: 1000 } } })),
  })

/** Pending membership requests. */
export const usePending = (site_id: string, may: boolean) =>
  useQuery({
    queryKey: ['members', site_id, 'pending'],
    queryFn: () => ask(client.GET('/memberships/sites/{site_id}/pending', { params: { path: { site_id }, query: {} } })),
    enabled: may,
  })

const SOON = 20_000
const waits = (one: Invite): boolean => one.permissions.resend.because.some(why => why.code === 'rate_limited')

/** Invitations of both kinds. */
export const useInvites = (site_id: string, may: boolean) =>
  useQuery({
    queryKey: ['people', 'invites', site_id],
    queryFn: () => ask(client.GET('/invites/sites/{site_id}', { params: { path: { site_id }, query: { limit: 500 } } })),
    enabled: may,
    // A recently sent invitation can be sent again after a minute: refetching updates the button.
    refetchInterval: query => (query.state.data?.some(waits) ? SOON : false),
  })

/** Contractors with their counts. */
export const useContractorsWhole = (site_id: string) =>
  useQuery({
    queryKey: ['contractors', site_id, 'whole'],
    queryFn: () =>
      ask(client.GET('/contractors', { params: { query: { site_id, limit: 500, status: ['active', 'left'], include: ['counts'] } } })),
  })

/** Direct oversight between contractors. */
export const useOversight = (site_id: string) =>
  useQuery({
    queryKey: ['contractors', site_id, 'oversight'],
    queryFn: () => ask(client.GET('/contractors/oversight', { params: { query: { site_id } } })),
  })

/** Clashes that a person resolves, at most. */
const MOST_RESOLVED = 1000

/** Returns what a person is responsible for on the site: it must be reassigned when they leave. */
export const useDuties = (site_id: string, user_id: string) =>
  useQuery({
    queryKey: ['people', 'duties', site_id, user_id],
    queryFn: async () => {
      const resolved = {
        site_id,
        status: ['open' as const],
        stance: ['resolving' as const],
        owner_user_id: [user_id],
        limit: MOST_RESOLVED,
      }
      const [appointments, config, permits, clashes] = await Promise.all([
        ask(client.GET('/permits/appointments', { params: { query: { site_id, user_id: [user_id], revoked: false } } })),
        ask(client.GET('/permits/config', { params: { query: { site_id } } })),
        ask(
          client.GET('/permits', {
            params: { query: { site_id, receiver_id: [user_id], status: ['requested', 'endorsed', 'approved', 'issued', 'expired'] } },
          }),
        ),
        ask(client.GET('/clashes/episodes', { params: { query: resolved } })),
      ])
      return {
        issues: appointments.map(one => one.permit_type_code),
        nominee: config.nominee_user_id === user_id,
        deputy: config.deputy_nominee_user_id === user_id,
        receives: permits.map(permit => permit.permit_number ?? permit.title ?? ''),
        resolves: clashes.length,
      }
    },
    staleTime: 0,
  })

const moved = (...keys: string[]) => {
  for (const key of keys) void queries.invalidateQueries({ queryKey: [key] })
}

/** A membership as the person saw it: its terms are replaced together, and no other change of them may be lost by that. */
export type Seen = { membership_id: string; version: number }

/** Approves a membership request, or changes a member's role and contractor. */
export async function approve({ membership_id, version }: Seen, terms: Schemas['ApproveMembership']): Promise<void> {
  const headers = { ...freshKey(), ...ifMatch(version) }
  await ask(client.POST('/memberships/{membership_id}/approve', { params: { path: { membership_id } }, body: terms, headers }))
  moved('members', 'people', 'contractors', 'tasks')
}

/** Ends a membership, or rejects a membership request that is still one. */
export async function end({ membership_id, version }: Seen): Promise<void> {
  await ask(client.DELETE('/memberships/{membership_id}', { params: { path: { membership_id } }, headers: ifMatch(version) }))
  moved('members', 'people', 'settings', 'tasks')
}

/** Invites one person by email. */
export async function invite(site_id: string, body: Schemas['NewInvite']): Promise<SentInvite> {
  const sent = await ask(client.POST('/invites/sites/{site_id}', { params: { path: { site_id } }, body, headers: freshKey() }))
  moved('people')
  return sent
}

/** Creates a link for many people; its URL is shown only once. */
export async function makeLink(site_id: string, body: Schemas['NewInviteLink']): Promise<InviteLink> {
  const link = await ask(client.POST('/invite-links/sites/{site_id}', { params: { path: { site_id } }, body, headers: freshKey() }))
  moved('people')
  return link
}

/** Sends an invitation again; the link in the earlier email stops working. */
export async function resend(one: Invite): Promise<SentInvite> {
  const path = { invite_id: one.id }
  const headers = { ...freshKey(), ...ifMatch(one.version) }
  const sent = await ask(client.POST('/invites/{invite_id}/resend', { params: { path }, headers }))
  moved('people')
  return sent
}

/** Revokes an invitation. */
export async function revokeInvite(one: Invite): Promise<void> {
  await ask(client.DELETE('/invites/{invite_id}', { params: { path: { invite_id: one.id } }, headers: ifMatch(one.version) }))
  moved('people')
}

/** Adds a contractor. */
export async function makeContractor(body: Schemas['NewContractor']): Promise<void> {
  await ask(client.POST('/contractors', { body, headers: freshKey() }))
  moved('contractors')
}

/** Changes a contractor, with the version that was shown. Marking it as left returns what it still has on the site. */
export async function changeContractor(contractor: Contractor, body: Schemas['ContractorChange']): Promise<Contractor> {
  const path = { contractor_id: contractor.id }
  const saved = await ask(client.PATCH('/contractors/{contractor_id}', { params: { path }, body, headers: ifMatch(contractor.version) }))
  moved('contractors', 'permits', 'permit')
  return saved
}

/** Deletes a contractor that nothing refers to. */
export async function deleteContractor(contractor: Contractor): Promise<void> {
  await ask(
    client.DELETE('/contractors/{contractor_id}', {
      params: { path: { contractor_id: contractor.id } },
      headers: ifMatch(contractor.version),
    }),
  )
  moved('contractors')
}

/** Sets a contractor's logo. */
export async function setLogo(contractor: Contractor, file: File): Promise<void> {
  const form = new FormData()
  form.append('file', file, file.name)
  await sendForm(`/contractors/${contractor.id}/logo`, form, ifMatch(contractor.version), 'PUT')
  moved('contractors')
}

/** Sets whether oversight reaches subcontractors of subcontractors, too. */
export async function setTransitive(site: Schemas['Site'], oversight_transitive: boolean): Promise<void> {
  const params = { path: { site_id: site.id } }
  await ask(client.PUT('/sites/{site_id}/oversight-transitive', { params, body: { oversight_transitive }, headers: ifMatch(site.version) }))
  await Promise.all(['site', 'contractors'].map(key => queries.invalidateQueries({ queryKey: [key] })))
}

/** Sets whether a contractor oversees another. */
export async function oversee(contractor_id: string, subordinate_id: string, on: boolean): Promise<void> {
  await ask(
    on
      ? client.POST('/contractors/{contractor_id}/oversight', {
          params: { path: { contractor_id } },
          body: { subordinate_id },
          headers: freshKey(),
        })
      : client.DELETE('/contractors/{contractor_id}/oversight/{subordinate_id}', {
          params: { path: { contractor_id, subordinate_id } },
        }),
  )
  await queries.invalidateQueries({ queryKey: ['contractors'] })
}
