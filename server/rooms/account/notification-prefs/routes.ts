import { answer, del, get, patch } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { dropOwn, listEffective, setPreference } from './actions.ts'
import { EffectivePreference, PreferenceChange, PreferenceFilter } from './schema.ts'

const one = '/notification-prefs/:kind/:channel'

export const routes = [
  get('/notification-prefs/effective', {
    name: 'notification_preference.list_effective',
    summary: 'List effective notification settings',
    says: 'Returns how the caller receives each kind of notification on each channel, and which setting decides this, with the versions to send as `If-Match`. The list starts with `all`; the other kinds are ordered by group and label.',
    access: { signed_in: true },
    query: PreferenceFilter,
    reply: Type.Array(ref(EffectivePreference)),
    handle: ({ ctx, query }) => listEffective(ctx, query.site_id ?? null),
  }),
  patch(one, {
    name: 'notification_preference.set',
    summary: 'Set a notification preference',
    says: 'Sets how the caller receives one kind of notification on one channel, and when, on one site or on all their sites. `If-Match` is compared with the version of the setting that is changed, 0 before the first.',
    access: { signed_in: true },
    passes_lock: true,
    body: PreferenceChange,
    reply: ref(EffectivePreference),
    refuses: ['conflict', 'version_conflict'],
    tagged: true,
    handle: async ({ ctx, params, body, wire }) => {
      const { shown, version } = await setPreference(ctx, params.kind ?? '', params.channel ?? '', body, wire.if_match)
      return answer(shown, { headers: { etag: `"${version}"` } })
    },
  }),
  del(one, {
    name: 'notification_preference.drop',
    summary: 'Reset a notification preference',
    says: 'Removes the caller’s preference for one kind on one channel. The inherited setting applies again.',
    access: { signed_in: true },
    passes_lock: true,
    query: PreferenceFilter,
    reply: null,
    refuses: ['not_found', 'version_conflict'],
    handle: ({ ctx, params, query, wire }) => dropOwn(ctx, params.kind ?? '', params.channel ?? '', query.site_id ?? null, wire.if_match),
  }),
]
