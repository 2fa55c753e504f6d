import { useEffect, useRef, useState } from 'react'
import { Note } from '../../../../base/kit/note.tsx'
import { t } from '../../../../base/words.ts'
import { readCode } from './read-code.ts'

const PAUSE_MS = 120

/** The camera, scanning until it finds a code. `onFound` returns whether to continue. */
export function Camera({ onFound }: { onFound(text: string): Promise<boolean> }) {
  const video = useRef<HTMLVideoElement>(null)
  const [missing, setMissing] = useState(false)
  const found = useRef(onFound)
  found.current = onFound
  useEffect(() => {
    let gone = false
    let stream: MediaStream | null = null
    const look = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1280 } }, audio: false })
      } catch {
        if (!gone) setMissing(true)
        return
      }
      const screen = video.current
      if (gone || screen === null) return stop()
      screen.srcObject = stream
      await screen.play().catch(() => undefined)
      while (!gone) {
        const text = await readCode(screen).catch(() => null)
        if (gone || (text !== null && !(await found.current(text)))) break
        await new Promise(done => setTimeout(done, PAUSE_MS))
      }
    }
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    void look()
    return () => {
      gone = true
      stop()
    }
  }, [])
  if (missing) return <Note kind="warn">{t('scan.no_camera')}</Note>
  return (
    <div className="camera">
      <video ref={video} playsInline muted aria-label={t('scan.camera')} />
      <span className="aim" aria-hidden />
    </div>
  )
}
