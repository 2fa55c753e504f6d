// Drawing on a copy of a photo: what it shows is evidence and stays as it was taken, so the marks are saved on a picture of their own.
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../kit/button.tsx'
import { Choices } from '../kit/field.tsx'
import { FaultNote, Note, toast } from '../kit/note.tsx'
import { Window } from '../kit/window.tsx'
import { useSend } from '../send.ts'
import { addWords } from '../words.ts'
import { markingTexts } from './marking-texts.ts'
import { EDGE, extended, isDrawn, MARK_COLOURS, MARK_TOOLS, type Mark, type MarkTool, pathOf, penOf, type Spot, within } from './marks.ts'
import { type PictureSource, usePicture } from './picture.ts'
import './marking.css'

const { t } = addWords(markingTexts)

/** How far an arrow key moves the cross, as a part of the longer side; with Shift for exact places. */
const STEP = 0.03
const FINE_STEP = 0.005
const WAYS: Record<string, Spot> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
/** Large enough to read a label in the photo, and a tenth of the bytes of a lossless picture. */
const QUALITY = 0.9
/** A device that has no mouse seldom has a keyboard: how to draw with one is read out there, not shown. */
const TOUCHED = '(hover: none)'

const sizeOf = ({ naturalWidth, naturalHeight }: HTMLImageElement) => ({ width: naturalWidth, height: naturalHeight })

/** Returns the picture with the marks drawn on it, as a JPEG. */
async function markedCopy(picture: HTMLImageElement, marks: readonly Mark[]): Promise<Blob> {
  const canvas = document.createElement('canvas')
  const size = sizeOf(picture)
  Object.assign(canvas, size)
  const ground = canvas.getContext('2d')
  if (ground === null) throw new Error('This browser can’t draw on pictures.')
  ground.drawImage(picture, 0, 0)
  const pen = penOf(size)
  ground.lineCap = 'round'
  ground.lineJoin = 'round'
  const path = new Path2D(pathOf(marks, pen))
  for (const [colour, width] of [
    [MARK_COLOURS.edge, pen * EDGE],
    [MARK_COLOURS.stroke, pen],
  ] as const) {
    ground.strokeStyle = colour
    ground.lineWidth = width
    ground.stroke(path)
  }
  return new Promise((done, refuse) =>
    canvas.toBlob(blob => (blob === null ? refuse(new Error('This browser couldn’t make the copy.')) : done(blob)), 'image/jpeg', QUALITY),
  )
}

/** Returns a picture once the browser has decoded it, and whether it can't be shown. */
function useDecoded(source: PictureSource): { picture: HTMLImageElement | null; failed: boolean } {
  const { url, failed } = usePicture(source)
  const [picture, setPicture] = useState<HTMLImageElement | null>(null)
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    if (url === null) return
    let left = false
    const own = new Image()
    own.src = url
    void own.decode().then(
      () => !left && setPicture(own),
      () => !left && setBroken(true),
    )
    return () => {
      left = true
    }
  }, [url])
  return { picture, failed: failed || broken }
}

type Given = {
  /** The photo's caption, or the name of its file. */
  name: string
  source: PictureSource
  /** Adds the copy to the record; returns whether the service has it already. */
  onCopy(copy: Blob): Promise<boolean>
  onEnd(): void
}

/** A photo to draw on, with a finger, the mouse or the keyboard. The copy is saved once; marks that aren't saved are never dropped unasked. */
export default function Marking({ name, source, onCopy, onEnd }: Given) {
  const { picture, failed } = useDecoded(source)
  const [tool, setTool] = useState<Mark['tool']>('ring')
  const [marks, setMarks] = useState<readonly Mark[]>([])
  const [asked, setAsked] = useState(false)
  const sending = useSend()
  const leave = () => {
    if (sending.busy) return
    if (marks.length === 0) onEnd()
    else setAsked(!asked)
  }
  const save = () =>
    void sending.send(async () => {
      if (picture === null) return
      const sent = await onCopy(await markedCopy(picture, marks))
      toast(sent ? t('marking.added') : t('outbox.saved'))
      onEnd()
    })
  return (
    <Window title={t('marking.title', { name })} onClose={leave}>
      <div className="stack marking">
        {asked && (
          <Note kind="warn">
            <p role="alert">{t('marking.unsaved')}</p>
            <div className="row">
              <Button onClick={() => setAsked(false)}>{t('marking.go_on')}</Button>
              <Button look="danger" onClick={onEnd}>
                {t('marking.leave')}
              </Button>
            </div>
          </Note>
        )}
        <Choices<MarkTool>
          label={t('marking.tool')}
          options={MARK_TOOLS.map(one => ({ value: one, label: t(`marking.${one}`) }))}
          value={tool}
          onChoose={setTool}
        />
        {failed && <Note kind="warn">{t('photos.failed')}</Note>}
        {picture === null
          ? !failed && <div className="skeleton photo-empty" aria-busy />
          : !failed && <Drawn picture={picture} tool={tool} marks={marks} onMark={mark => setMarks([...marks, mark])} />}
        <div className="row spread">
          <span className="small" role="status">
            {t('marking.count', { n: marks.length })}
          </span>
          <Button look="quiet" disabled={marks.length === 0 || sending.busy} onClick={() => setMarks(marks.slice(0, -1))}>
            {t('marking.undo')}
          </Button>
        </div>
        {sending.fault !== null && <FaultNote error={sending.fault} />}
        <Button look="primary" wide disabled={marks.length === 0 || sending.busy} onClick={save}>
          {t(sending.busy ? 'marking.saving' : 'marking.save')}
        </Button>
      </div>
    </Window>
  )
}

type DrawnGiven = { picture: HTMLImageElement; tool: Mark['tool']; marks: readonly Mark[]; onMark(mark: Mark): void }

/** The picture with its marks, and the one that is being drawn. */
function Drawn({ picture, tool, marks, onMark }: DrawnGiven) {
  const size = sizeOf(picture)
  const pen = penOf(size)
  const frame = useRef<SVGSVGElement>(null)
  const how = useId()
  const [going, setGoing] = useState<Mark | null>(null)
  const [cross, setCross] = useState<Spot | null>(null)
  const spotOf = ({ clientX, clientY }: PointerEvent): Spot | null => {
    const to_picture = frame.current?.getScreenCTM()?.inverse()
    if (to_picture === undefined) return null
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(to_picture)
    return within([x, y], size)
  }
  const end = (mark: Mark) => {
    setGoing(null)
    if (isDrawn(mark, size)) onMark(mark)
  }
  const press = (event: PointerEvent) => {
    const from = spotOf(event)
    if (from === null || !event.isPrimary || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setCross(null)
    setGoing({ tool, from, way: [] })
  }
  const draw = (event: PointerEvent) => {
    const to = spotOf(event)
    if (going === null || to === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    if (event.type === 'pointerup') end(extended(going, to))
    else setGoing(extended(going, to))
  }
  const typed = (event: KeyboardEvent) => {
    const way = WAYS[event.key]
    const at: Spot = cross ?? [size.width / 2, size.height / 2]
    if (way !== undefined) {
      const step = Math.max(size.width, size.height) * (event.shiftKey ? FINE_STEP : STEP)
      const to = within([at[0] + way[0] * step, at[1] + way[1] * step], size)
      setCross(to)
      if (going !== null) setGoing(extended(going, to))
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (going === null) setGoing({ tool, from: at, way: [] })
      else end(going)
      setCross(at)
    } else if (event.key === 'Escape' && going !== null) setGoing(null)
    else return
    event.preventDefault()
  }
  const arm = pen * 6
  return (
    <>
      <svg
        ref={frame}
        className="marking-picture"
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="application"
        aria-label={t('marking.picture')}
        aria-describedby={how}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: marks are drawn with the keyboard, too.
        tabIndex={0}
        onPointerDown={press}
        onPointerMove={draw}
        onPointerUp={draw}
        onPointerCancel={() => setGoing(null)}
        onKeyDown={typed}
      >
        <image href={picture.src} width={size.width} height={size.height} />
        <Marks d={pathOf(going === null ? marks : [...marks, going], pen)} pen={pen} />
        {cross !== null && (
          <Marks d={`M${cross[0] - arm} ${cross[1]}H${cross[0] + arm}M${cross[0]} ${cross[1] - arm}V${cross[1] + arm}`} pen={pen / 2} />
        )}
      </svg>
      <p className="small soft" id={how}>
        {t('marking.how')} <span className={matchMedia(TOUCHED).matches ? 'unseen' : ''}>{t('marking.keys')}</span>
      </p>
    </>
  )
}

/** Paths in red with a white edge. */
const Marks = ({ d, pen }: { d: string; pen: number }) => (
  <g fill="none" strokeLinecap="round" strokeLinejoin="round">
    <path d={d} stroke={MARK_COLOURS.edge} strokeWidth={pen * EDGE} />
    <path d={d} stroke={MARK_COLOURS.stroke} strokeWidth={pen} />
  </g>
)
