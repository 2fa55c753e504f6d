import { get, post, put } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { chooseRegime, replaceConfig, showConfig } from './actions.ts'
import { ApplyRegime, ConfigQuery, MaybeSite, PermitConfig, SaveConfig } from './schema.ts'

export const routes = [
  get('/permits/config', {
    name: 'permit_config.show',
    summary: 'Show the permit policy',
    says: 'Returns the permit policy of a site, or the defaults before the first save.',
    access: { needs: 'site_view' },
    query: ConfigQuery,
    reply: ref(PermitConfig),
    handle: ({ ctx, site_id }) => showConfig(ctx, site_id),
  }),
  put('/permits/config', {
    name: 'permit_config.replace',
    summary: 'Replace the permit policy',
    says: 'Saves the whole policy. A field that is left out is reset to its default.',
    access: { needs: 'permit_settings_manage' },
    query: MaybeSite,
    body: SaveConfig,
    of: PermitConfig,
    reply: ref(PermitConfig),
    refuses: ['version_conflict'],
    handle: ({ ctx, site_id, body, wire }) => replaceConfig(ctx, site_id, body, wire.if_match),
  }),
  post('/permits/config/regime', {
    name: 'permit_config.apply_regime',
    summary: 'Apply a permit regime',
    says: 'Applies the major-hazard or generic CDM regime: sets the coverage policy, and which permit types need a parent. Applying a regime twice has the same effect as applying it once.',
    access: { needs: 'permit_settings_manage' },
    query: MaybeSite,
    body: ApplyRegime,
    of: PermitConfig,
    reply: ref(PermitConfig),
    handle: ({ ctx, site_id, body }) => chooseRegime(ctx, site_id, body.regime),
  }),
]
