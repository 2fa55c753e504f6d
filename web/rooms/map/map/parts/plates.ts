// The boxes behind labels, as images of the map.
import type { Map as MapLibre } from 'maplibre-gl'
import { type LabelStyles, PLATES, type Plate, plateOf } from '../looks.ts'
import { drawn, SCALE } from './icons.ts'

const PLATE = 16
/** Size of the corners of a box: they keep their shape, and the rest stretches with the text. */
const CORNER = 4

const painted = ({ background, border }: Plate, width: number, height: number): ImageData =>
  drawn(
    width,
    pen => {
      pen.beginPath()
      pen.roundRect(0.75, 0.75, width - 1.5, height - 1.5, 3)
      pen.lineWidth = 1.5
      if (background !== null) {
        pen.fillStyle = background
        pen.fill()
      }
      if (border !== null) {
        pen.strokeStyle = border
        pen.stroke()
      }
    },
    height,
  )

/** Adds the boxes behind labels to a map, and replaces them when the label styles change. Those of turned words are drawn when the map needs them. */
export function hangPlates(map: MapLibre, styles: LabelStyles): void {
  for (const image of map.listImages()) if (image.startsWith(PLATES)) map.removeImage(image)
  const plates = (styles?.styles ?? []).flatMap(style => plateOf(style) ?? [])
  for (const plate of plates) {
    const corner = CORNER + plate.padding
    const [from, to] = [corner * SCALE, (corner + PLATE - 2 * CORNER) * SCALE]
    const size = PLATE + 2 * plate.padding
    map.addImage(plate.image, painted(plate, size, size), {
      ...{ pixelRatio: SCALE, stretchX: [[from, to]], stretchY: [[from, to]], content: [from, from, to, to] },
    })
  }
  map.setMissingStyleImageResolver(async name => {
    const [, image, width, height] = /^(.+)-(\d+)x(\d+)$/.exec(name) ?? []
    const plate = plates.find(one => one.image === image)
    if (plate === undefined || map.hasImage(name)) return
    const corner = CORNER + plate.padding
    const [wide, high] = [Number(width), Number(height)]
    map.addImage(name, painted(plate, wide + 2 * corner, high + 2 * corner), {
      ...{ pixelRatio: SCALE, content: [corner * SCALE, corner * SCALE, (corner + wide) * SCALE, (corner + high) * SCALE] },
    })
  })
}
