// Ends what is there now with one tap: a gang that goes home early is still on the map until someone says so (`map.md` §2).
import { Button } from '../../../../base/kit/button.tsx'
import { toast, toastFault } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { sayUndone } from '../drawing.ts'
import { t } from '../says.ts'
import { isRunning, type Standing } from '../tokens.ts'
import { endToken } from '../tokens-data.ts'

/** Ends a worker, a gang or a machine now; what it says then can undo it. */
export function FinishButton({ token, now }: { token: Standing; now: number }) {
  const { busy, send } = useSend()
  if (!isRunning(token, now)) return null
  const back = (version: number) => () => void sayUndone(endToken({ ...token, version }, token.end_at))
  const finish = () =>
    send(async () => {
      const version = await endToken(token, new Date(now).toISOString()).catch(toastFault)
      if (version !== undefined) toast(t('token.finished', { name: token.name }), { undo: { label: t('draw.undo'), run: back(version) } })
    })
  return (
    <Button disabled={busy} onClick={() => void finish()}>
      {t('token.finish')}
    </Button>
  )
}
