// Requests for deliveries.
import { useQuery } from '@tanstack/react-query'
import { ask, client, freshKey, ifMatch, type Schemas } from '../../../base/api.ts'
import { viewedAt } from './data.ts'
import type { Delivery } from './tokens.ts'
import { tokensMoved } from './tokens-data.ts'

const SELDOM_MS = 300_000

/** The deliveries of a site day, by start. */
export const useDeliveries = (site_id: string, from: string, to: string) =>
  useQuery({
    ...viewedAt(null, ['delivery']),
    queryKey: ['tokens', 'deliveries', 'day', site_id, from, to],
    queryFn: () => ask(client.GET('/deliveries', { params: { query: { site_id, from, to, limit: 500 } } })),
  })

/** One delivery, with what its caller can do. */
export const useDelivery = (id: string) =>
  useQuery({
    queryKey: ['tokens', 'delivery', id],
    queryFn: () => ask(client.GET('/deliveries/{delivery_id}', { params: { path: { delivery_id: id } } })),
  })

/** What a delivery can name: vehicle gates, delivery bays and machines on the site at a time. */
export const useDeliveryPlaces = (site_id: string, at: string) =>
  useQuery({
    queryKey: ['tokens', 'delivery places', site_id, at],
    queryFn: async () => {
      const query = { site_id, at }
      const [gates, bays, machines] = await Promise.all([
        ask(client.GET('/pois/at-time', { params: { query: { ...query, poi_kind: ['vehicle_gate'] } } })),
        ask(client.GET('/active-areas/at-time', { params: { query: { ...query, area_kind: ['delivery_bay'] } } })),
        ask(client.GET('/plant/at-time', { params: { query: { ...query, lifting: true } } })),
      ])
      return { gates, bays, machines }
    },
    placeholderData: before => before,
    staleTime: SELDOM_MS,
  })

/** Adds a delivery: a request, a booking, or a vehicle that is here without one. */
export async function addDelivery(body: Schemas['NewDelivery']): Promise<Delivery> {
  const made = await ask(client.POST('/deliveries', { body, headers: freshKey() }))
  await tokensMoved('delivery', [made.id])
  return made
}

/** Changes a delivery, or takes a step of it. */
export async function changeDelivery({ id, version }: Delivery, body: Schemas['DeliveryChange']): Promise<Delivery> {
  const changed = await ask(
    client.PATCH('/deliveries/{delivery_id}', { params: { path: { delivery_id: id } }, body, headers: ifMatch(version) }),
  )
  await tokensMoved('delivery', [id])
  return changed
}

/** Deletes a delivery. */
export async function deleteDelivery({ id, version }: Delivery): Promise<void> {
  await ask(client.DELETE('/deliveries/{delivery_id}', { params: { path: { delivery_id: id } }, headers: ifMatch(version) }))
  await tokensMoved('delivery', [id])
}
