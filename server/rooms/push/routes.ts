import { answer, del, get, put } from '../../base/http.ts'
import { ref } from '../../base/schema.ts'
import { forgetDevice, keepDevice, listDevices, showConfig } from './actions.ts'
import { NewPushSubscription, PushConfig, PushEndpoint, PushSubscription, PushSubscriptions } from './schema.ts'

const path = '/push/subscriptions'

export const routes = [
  get('/push/config', {
    name: 'push_subscription.show_config',
    says: 'What a device needs to subscribe.',
    access: { signed_in: true },
    reply: ref(PushConfig),
    handle: ({ ctx }) => showConfig(ctx),
  }),
  get(path, {
    name: 'push_subscription.list',
    says: 'One’s own devices, newest first; without keys and addresses.',
    access: { signed_in: true },
    reply: PushSubscriptions,
    handle: ({ ctx }) => listDevices(ctx),
  }),
  put(path, {
    name: 'push_subscription.put',
    says: 'Subscribes a device (201), or renews its keys (200). A device that somebody else used is the caller’s from now on.',
    access: { signed_in: true },
    body: NewPushSubscription,
    of: PushSubscription,
    reply: ref(PushSubscription),
    handle: async ({ ctx, body }) => {
      const { device, fresh } = await keepDevice(ctx, body)
      return answer(device, fresh ? { status: 201, location: path } : {})
    },
  }),
  del(path, {
    name: 'push_subscription.delete',
    says: 'Forgets a device, also one that is gone already.',
    access: { signed_in: true },
    query: PushEndpoint,
    reply: null,
    handle: ({ ctx, query }) => forgetDevice(ctx, query.endpoint),
  }),
]
