// The picture of a plan on the map while it is being placed.
import type { ImageSource, Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import type { Calibration, Size } from '../../../../../shared/calibration/calibrate.ts'
import { useTheme } from '../../../../base/looks.ts'
import { cornersOn } from './pairs.ts'
import { settle } from './plan-ground.ts'
import { usePicture } from './plans-data.ts'

const PREVIEW = 'pair-preview'
/** What lies above a plan. */
const ABOVE = 'buildings-line'
const LEAST_PX = 128

/** How a plan is seen. `ink`: it has dark lines and no paper. */
type Look = { opacity: number; ink: boolean }

/** Shows a plan as it would lie. */
export function usePreview(
  map: MapLibre | null,
  path: string,
  size: Size,
  lies: Pick<Calibration, 'matrix' | 'origin'> | null,
  { opacity, ink }: Look,
): void {
  const theme = useTheme()
  const { data: picture } = usePicture(path)
  const [wide, setWide] = useState(0)
  const strength = useRef(opacity)
  strength.current = opacity
  const lying = lies !== null
  useEffect(() => {
    if (map === null || lies === null) return
    const [a, b, c, d] = cornersOn(size, lies)
    const coordinates: [[number, number], [number, number], [number, number], [number, number]] = [[...a], [...b], [...c], [...d]]
    const source = map.getSource<ImageSource>(PREVIEW)
    if (source === undefined) {
      map.addSource(PREVIEW, { type: 'image', coordinates })
      const paint = { 'raster-opacity': strength.current, 'raster-fade-duration': 0 }
      map.addLayer({ id: PREVIEW, type: 'raster', source: PREVIEW, paint }, ABOVE)
    } else source.setCoordinates(coordinates)
    const measure = () => {
      const [left, right] = [map.project([...a]), map.project([...b])]
      setWide(widthFor(Math.hypot(right.x - left.x, right.y - left.y) * devicePixelRatio))
    }
    measure()
    map.on('zoomend', measure)
    return () => void map.off('zoomend', measure)
  }, [map, size, lies])
  useEffect(() => {
    if (map === null || picture === undefined || !lying || wide === 0) return
    let over = false
    void shrunk(picture, wide, ink).then(image => {
      if (!over) map.getSource<ImageSource>(PREVIEW)?.updateImage({ image })
    })
    return () => {
      over = true
    }
  }, [map, picture, lying, wide, ink])
  useEffect(() => {
    if (map === null || !lying || map.getLayer(PREVIEW) === undefined) return
    map.setPaintProperty(PREVIEW, 'raster-opacity', opacity)
    const turned = ink && theme === 'dark'
    map.setPaintProperty(PREVIEW, 'raster-brightness-min', turned ? 1 : 0)
    map.setPaintProperty(PREVIEW, 'raster-brightness-max', turned ? 0 : 1)
  }, [map, opacity, ink, theme, lying])
  useEffect(() => {
    if (map === null) return
    const again = () => settle(map, PREVIEW, ABOVE)
    map.on('idle', again)
    return () => void map.off('idle', again)
  }, [map])
  useEffect(() => {
    if (map === null || lying || map.getLayer(PREVIEW) === undefined) return
    map.removeLayer(PREVIEW)
    map.removeSource(PREVIEW)
  }, [map, lying])
}

/** How often lines are drawn over themselves at most. */
const STRONGEST = 6

/** Returns a picture of this width, or the whole one. The map library would skip pixels of it, and with them thin lines; here they become faint, so `ink` is drawn more than once. */
async function shrunk(picture: ImageBitmap, wide: number, ink: boolean): Promise<ImageBitmap> {
  if (wide >= picture.width) return createImageBitmap(picture)
  const small = await createImageBitmap(picture, { resizeWidth: wide, resizeQuality: 'high' })
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  if (!ink || pen === null) return small
  canvas.width = small.width
  canvas.height = small.height
  for (let i = 0; i < Math.min(STRONGEST, picture.width / wide); i++) pen.drawImage(small, 0, 0)
  return createImageBitmap(canvas)
}

/** Returns the width of a picture that is shown this wide on the screen: it is made again only once it is twice as wide, or half. */
const widthFor = (screen: number): number => Math.max(LEAST_PX, 2 ** Math.ceil(Math.log2(Math.max(screen, 1))))
