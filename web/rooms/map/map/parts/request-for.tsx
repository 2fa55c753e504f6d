// A permit for work on the map: it starts with the contractor, the window and the place of the work, and covers it from the beginning.
import { ask, client, freshKey } from '../../../../base/api.ts'
import { useGo } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { toastFault } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../says.ts'
import type { Token } from '../tokens.ts'
import { tokensMoved } from '../tokens-data.ts'

/** Creates a draft for the work, and opens it. */
export function RequestFor({ token }: { token: Token }) {
  const { site_id, canChange } = useHere()
  const go = useGo()
  const { busy, send } = useSend()
  if (!canChange('permit_request')) return null
  const request = async () => {
    const entities = [{ entity_type: token.token, entity_id: token.id }]
    const { id } = await ask(
      client.POST('/permits/applications/inline', { body: { site_id, title: token.name, entities }, headers: freshKey() }),
    )
    await tokensMoved()
    go(paths.request(site_id, { draft: id }))
  }
  return (
    <Button disabled={busy} onClick={() => void send(() => request().catch(toastFault))}>
      {t('token.request_permit')}
    </Button>
  )
}
