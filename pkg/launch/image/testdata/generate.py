"""Writes the pictures of this folder. Needs Pillow 13.0.0 and pypng 0.20220715.0;
the pictures are kept, so no one needs it to run the tests.

Every good file shows the same: 96 x 64 pixels, a magenta band of 16 at the left,
a cyan one at the right, and between them a square of four: red, green, below
them blue, yellow. The names say what is special. The tests know what should
come out of each.
"""

import io
import pathlib

import png
from PIL import Image, ImageChops, ImageDraw

HERE = pathlib.Path(__file__).parent
WIDTH, HEIGHT, BAND = 96, 64, 16
PARTS = {
    (0, 0, BAND, HEIGHT): (255, 0, 255),
    (WIDTH - BAND, 0, WIDTH, HEIGHT): (0, 255, 255),
    (BAND, 0, WIDTH // 2, HEIGHT // 2): (255, 0, 0),
    (WIDTH // 2, 0, WIDTH - BAND, HEIGHT // 2): (0, 128, 0),
    (BAND, HEIGHT // 2, WIDTH // 2, HEIGHT): (0, 0, 255),
    (WIDTH // 2, HEIGHT // 2, WIDTH - BAND, HEIGHT): (255, 255, 0),
}
# What has to be done to the upright picture so that a viewer that obeys the EXIF
# orientation shows it upright again.
STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
ORIENTATION = 0x0112


def picture():
    image = Image.new("RGB", (WIDTH, HEIGHT))
    draw = ImageDraw.Draw(image)
    for (left, top, right, bottom), colour in PARTS.items():
        draw.rectangle((left, top, right - 1, bottom - 1), fill=colour)
    return image


def jpegs(image):
    image.save(HERE / "baseline-420.jpg", quality=90, subsampling=2)
    image.save(HERE / "baseline-444.jpg", quality=90, subsampling=0)
    image.save(HERE / "restart-422.jpg", quality=90, subsampling=1, restart_marker_rows=1)
    image.save(HERE / "progressive.jpg", quality=90, progressive=True)
    image.save(HERE / "rgb.jpg", quality=90, keep_rgb=True)
    image.convert("L").save(HERE / "gray.jpg", quality=90)
    image.convert("L").save(HERE / "gray-progressive.jpg", quality=90, progressive=True)
    image.convert("CMYK").save(HERE / "cmyk.jpg", quality=90)
    image.convert("CMYK").save(HERE / "cmyk-progressive.jpg", quality=90, progressive=True)
    (HERE / "ycck.jpg").write_bytes(ycck(image))
    for orientation, stored in STORED.items():
        turned = image if stored is None else image.transpose(stored)
        exif = Image.Exif()
        exif[ORIENTATION] = orientation
        exif[0x010F] = "a maker's name that is long enough to be out of line"
        turned.save(HERE / f"orientation-{orientation}.jpg", quality=90, subsampling=0, exif=exif)


def ycck(image):
    """Ink as if it were light, turned into YCbCr; Pillow stores the complement."""
    ink = ImageChops.invert(image).convert("YCbCr")
    planes = [ImageChops.invert(plane) for plane in ink.split()]
    planes.append(Image.new("L", image.size, 0))
    out = io.BytesIO()
    Image.merge("CMYK", planes).save(out, "JPEG", quality=90)
    data = bytearray(out.getvalue())
    adobe = data.index(b"Adobe")
    data[adobe + 11] = 2  # transform: YCCK
    return bytes(data)


def pngs(image):
    rgb = [[v for pixel in row for v in pixel] for row in rows(image)]
    deep = [[v * 257 for v in row] for row in rgb]
    gray = [list(row) for row in rows(image.convert("L"))]
    palette = sorted(set(PARTS.values())) + [(255, 255, 255, 0)]
    opaque = [p if len(p) == 4 else (*p, 255) for p in palette]
    indexes = [[palette.index(pixel) for pixel in row] for row in rows(image)]

    write("rgb.png", rgb, greyscale=False)
    write("rgb-interlaced.png", rgb, greyscale=False, interlace=True)
    write("rgb16.png", deep, greyscale=False, bitdepth=16)
    write("rgb16-interlaced.png", deep, greyscale=False, bitdepth=16, interlace=True)
    write("gray16.png", [[v * 257 for v in row] for row in gray], greyscale=True, bitdepth=16)
    write("gray.png", gray, greyscale=True)
    write("palette4.png", indexes, palette=opaque, bitdepth=4)
    write("palette4-interlaced.png", indexes, palette=opaque, bitdepth=4, interlace=True)
    write("bilevel.png", [[v >> 7 for v in row] for row in gray], greyscale=True, bitdepth=1)
    # Yellow is transparent here, three ways; it must come out white.
    write("transparent-colour.png", rgb, greyscale=False, transparent=(255, 255, 0))
    hidden = [(0, 0, 0, 0) if p == (255, 255, 0, 255) else p for p in opaque]
    write("transparent-palette.png", indexes, palette=hidden, bitdepth=8)
    alpha = [[v for p in row for v in ((0, 0, 0, 0) if p == (255, 255, 0) else (*p, 255))] for row in rows(image)]
    write("transparent-alpha.png", alpha, greyscale=False, alpha=True)
    write("transparent-alpha16.png", [[v * 257 for v in row] for row in alpha], greyscale=False, alpha=True, bitdepth=16)

    exif = Image.Exif()
    exif[ORIENTATION] = 6
    image.transpose(STORED[6]).save(HERE / "orientation-6.png", exif=exif)
    image.save(HERE / "apng.png", save_all=True, append_images=[ImageChops.invert(image)])


def rows(image):
    return [[image.getpixel((x, y)) for x in range(image.width)] for y in range(image.height)]


def write(name, values, **options):
    with open(HERE / name, "wb") as file:
        png.Writer(width=WIDTH, height=HEIGHT, **options).write(file, values)


def others(image):
    image.save(HERE / "other.gif")
    image.resize((6, 4)).save(HERE / "other.bmp")
    image.save(HERE / "other.webp", lossless=True)
    image.save(HERE / "other.tiff", compression="tiff_deflate")


if __name__ == "__main__":
    shown = picture()
    jpegs(shown)
    pngs(shown)
    others(shown)
