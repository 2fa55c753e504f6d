import { answer, del, get, put } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { forgetDevice, keepDevice, listDevices, showConfig } from './actions.ts'
import { NewPushSubscription, PushConfig, PushEndpoint, PushSubscription, PushSubscriptions } from './schema.ts'

const path = '/push/subscriptions'

export const routes = [
  get('/push/config', {
    name: 'push_subscription.show_config',
    summary: 'Show the push configuration',
    says: 'Returns the settings that a device needs to subscribe to push notifications.',
    access: { signed_in: true },
    reply: ref(PushConfig),
    handle: ({ ctx }) => showConfig(ctx),
  }),
  get(path, {
    name: 'push_subscription.list',
    summary: 'List push subscriptions',
    says: 'Returns the caller’s devices, newest first, without keys or endpoints.',
    access: { signed_in: true },
    reply: PushSubscriptions,
    handle: ({ ctx }) => listDevices(ctx),
  }),
  put(path, {
    name: 'push_subscription.put',
    summary: 'Subscribe a device to push',
    says: 'Subscribes a device (201), or renews its keys if it is already subscribed (200). A device that another person subscribed becomes the caller’s. A person can have 10 devices; one more removes the least recently used.',
    access: { signed_in: true },
    body: NewPushSubscription,
    of: PushSubscription,
    reply: ref(PushSubscription),
    also: { 201: 'The device was not subscribed before' },
    handle: async ({ ctx, body }) => {
      const { device, fresh } = await keepDevice(ctx, body)
      return answer(device, fresh ? { status: 201, location: path } : {})
    },
  }),
  del(path, {
    name: 'push_subscription.delete',
    summary: 'Unsubscribe a device from push',
    says: 'Removes one of the caller’s devices. Also succeeds if the caller has no such device.',
    access: { signed_in: true },
    query: PushEndpoint,
    in_header: { endpoint: 'X-Push-Endpoint' },
    reply: null,
    handle: ({ ctx, query }) => forgetDevice(ctx, query.endpoint),
  }),
]
