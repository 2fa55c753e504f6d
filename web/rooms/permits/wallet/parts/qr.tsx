import { useEffect, useState } from 'react'
import { Skeleton } from '../../../../base/kit/note.tsx'
import { t } from '../../../../base/words.ts'

const QUIET = 4

/** A code as an image: dark on white in every theme, because cameras can't read other colours. */
export function Qr({ text }: { text: string }) {
  const [drawn, setDrawn] = useState<{ size: number; path: string } | null>(null)
  useEffect(() => {
    let gone = false
    void import('qrcode').then(({ create }) => {
      if (gone) return
      const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules
      const cells = Array.from(data, (dark, i) => (dark === 0 ? '' : `M${(i % size) + QUIET} ${Math.floor(i / size) + QUIET}h1v1h-1z`))
      setDrawn({ size: size + 2 * QUIET, path: cells.join('') })
    })
    return () => {
      gone = true
    }
  }, [text])
  if (drawn === null) return <Skeleton rows={1} height={280} />
  return (
    <svg className="qr" viewBox={`0 0 ${drawn.size} ${drawn.size}`} role="img" aria-label={t('wallet.qr')} shapeRendering="crispEdges">
      <rect width={drawn.size} height={drawn.size} className="light" />
      <path d={drawn.path} className="dark" />
    </svg>
  )
}
