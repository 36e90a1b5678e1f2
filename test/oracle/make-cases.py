"""Writes coverage with GDAL's own writers, and what PROJ and GEOS say of points in it.

    /usr/bin/python3 make-cases.py cases.jsonl FOLDER [NAME...]

Each line of cases.jsonl becomes a file in FOLDER (a zip, where GDAL writes several). FOLDER/expected.json then has by case:
its file, its manifest, and points as [longitude, latitude, whether they are covered], which were drawn in the case's own
reference system and transformed by PROJ. Points nearer to an edge than the case's tolerance are left out.
The fields of a case are described in docs/developer/gdal-comparison.md.
"""

import json
import math
import os
import random
import sys
import zipfile

from osgeo import gdal, ogr, osr

gdal.UseExceptions()
ogr.UseExceptions()
osr.UseExceptions()
gdal.SetConfigOption("GDAL_NUM_THREADS", "1")

CENTRE = (175.6, -39.4)
# The default service area: west, south, east, north.
AREA = (166.2, -47.5, 178.6, -34.2)
POINTS = 300
# Of a raster: pixels a side, and metres a pixel.
PIXELS = 64
PIXEL_METRES = 500


def system(definition):
    srs = osr.SpatialReference()
    srs.SetFromUserInput(definition)
    srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return srs


WGS84 = system("EPSG:4326")


def unit_of(srs):
    """How many of the system's units a metre is, about."""
    return 1 / 111_000 if srs.IsGeographic() else 1 / srs.GetLinearUnits()


def polygon(rings):
    shape = ogr.Geometry(ogr.wkbPolygon)
    for points in rings:
        ring = ogr.Geometry(ogr.wkbLinearRing)
        for x, y in [*points, points[0]]:
            ring.AddPoint_2D(x, y)
        shape.AddGeometry(ring)
    return shape


def star(chance, cx, cy, least, most, corners):
    radii = [chance.uniform(least, most) for _ in range(corners)]
    angles = [2 * math.pi * i / corners for i in range(corners)]
    return [(cx + r * math.cos(a), cy + r * math.sin(a)) for r, a in zip(radii, angles)]


def shapes(case, chance, cx, cy, metre):
    """A star with a hole, a long box that is turned, and a small circle. Edges of the box are 60 km long."""
    size = metre * case.get("size", 1)
    with_hole = polygon(
        [star(chance, cx, cy, 6000 * size, 12000 * size, 60), star(chance, cx, cy, 2000 * size, 5000 * size, 30)[::-1]]
    )
    cos, sin = math.cos(0.3), math.sin(0.3)
    box = [(-30000, 0), (30000, 0), (30000, 9000), (-30000, 9000)]
    turned = polygon(
        [[(cx + size * (x * cos - y * sin), cy + size * (25000 + x * sin + y * cos)) for x, y in box]]
    )
    circle = polygon([star(chance, cx - 15000 * size, cy - 12000 * size, 800 * size, 800.001 * size, 48)])
    return [with_hole, turned, circle]


def wrapped(shape):
    """Longitudes between -180 and 180, as a writer has them that does not cut shapes in two."""
    for ring in range(shape.GetGeometryCount()):
        of = shape.GetGeometryRef(ring)
        for i in range(of.GetPointCount()):
            x, y = of.GetPoint_2D(i)
            of.SetPoint_2D(i, (x + 180) % 360 - 180, y)
    return shape


def write_vector(case, srs, folder, chance, cx, cy, metre):
    drawn = shapes(case, chance, cx, cy, metre)
    driver = ogr.GetDriverByName(case["driver"])
    path = os.path.join(folder, f"{case['name']}.{case['ending']}")
    source = driver.CreateDataSource(path, options=case.get("dataset_options", []))
    # KML and the like take degrees in WGS 84 and nothing else.
    layer = source.CreateLayer("coverage", srs, ogr.wkbPolygon, options=case.get("options", []))
    layer.CreateField(ogr.FieldDefn("label", ogr.OFTString))
    for i, shape in enumerate(drawn):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetField("label", f"area {i}")
        feature.SetGeometry(wrapped(shape.Clone()) if case.get("wrap") else shape)
        layer.CreateFeature(feature)
    layer = None
    source = None
    boundaries = [shape.Boundary() for shape in drawn]
    tolerance = case.get("tolerance", 0.05) * metre

    def draw():
        xmin, xmax, ymin, ymax = chance.choice(drawn).GetEnvelope()
        x = chance.uniform(xmin - 0.1 * (xmax - xmin), xmax + 0.1 * (xmax - xmin))
        y = chance.uniform(ymin - 0.1 * (ymax - ymin), ymax + 0.1 * (ymax - ymin))
        point = ogr.Geometry(ogr.wkbPoint)
        point.AddPoint_2D(x, y)
        if any(boundary.Distance(point) < tolerance for boundary in boundaries):
            return None
        return x, y, any(shape.Contains(point) for shape in drawn)

    return draw


def write_raster(case, srs, folder, chance, cx, cy, metre):
    pixel = PIXEL_METRES * metre * case.get("size", 1)
    left, top = cx - PIXELS * pixel / 2, cy + PIXELS * pixel / 2
    # Blots: pixels near one of some centres are covered.
    blots = [(chance.uniform(0, PIXELS), chance.uniform(0, PIXELS), chance.uniform(2, 9)) for _ in range(14)]
    covered = [
        [any(math.hypot(c + 0.5 - x, r + 0.5 - y) < size for x, y, size in blots) for c in range(PIXELS)]
        for r in range(PIXELS)
    ]
    value = case.get("value", 1)
    memory = gdal.GetDriverByName("MEM").Create("", PIXELS, PIXELS, 1, gdal.GDT_Byte)
    memory.SetGeoTransform([left, pixel, 0, top, 0, -pixel])
    memory.SetSpatialRef(srs)
    rows = bytes(value if is_covered else 0 for row in covered for is_covered in row)
    memory.GetRasterBand(1).WriteRaster(0, 0, PIXELS, PIXELS, rows)
    path = os.path.join(folder, f"{case['name']}.{case['ending']}")
    gdal.GetDriverByName(case["driver"]).CreateCopy(path, memory, options=case.get("options", []))
    margin = case.get("tolerance", 0.05) * metre / pixel

    def draw():
        column, row = chance.uniform(-2, PIXELS + 2), chance.uniform(-2, PIXELS + 2)
        if any(abs(place - round(place)) < margin for place in (column, row)):
            return None
        within = 0 <= column < PIXELS and 0 <= row < PIXELS
        is_covered = within and covered[math.floor(row)][math.floor(column)]
        return left + column * pixel, top - row * pixel, is_covered

    return draw


def points_of(srs, draw):
    to_degrees = osr.CoordinateTransformation(srs, WGS84)
    west, south, east, north = AREA
    points = []
    for _ in range(50 * POINTS):
        if len(points) == POINTS:
            break
        drawn = draw()
        if drawn is None:
            continue
        x, y, is_covered = drawn
        lng, lat, _ = to_degrees.TransformPoint(x, y)
        lng = (lng + 180) % 360 - 180
        # Beyond the service area nothing is covered.
        if west < lng < east and south < lat < north:
            points.append([round(lng, 9), round(lat, 9), is_covered])
    return points


def pack(case, folder):
    """The one file that is handed in."""
    made = sorted(
        os.path.relpath(os.path.join(parent, name), folder)
        for parent, _, names in os.walk(folder)
        for name in names
        if not name.endswith(".zip")
    )
    for name in made:
        if "prj" in case and name.endswith(".prj"):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as prj:
                prj.write(case["prj"])
    if len(made) == 1:
        return made[0]
    name = f"{case['name']}.zip"
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for member in made:
            archive.write(os.path.join(folder, member), member)
    return name


def main():
    listed, target, *names = sys.argv[1:]
    with open(listed, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file if line.strip()]
    expected = []
    for case in cases:
        if names and case["name"] not in names:
            continue
        chance = random.Random(case["name"])
        folder = os.path.join(target, case["name"])
        os.makedirs(folder)
        srs = system(case["system"])
        centre = case.get("centre", CENTRE)
        cx, cy, _ = osr.CoordinateTransformation(WGS84, srs).TransformPoint(*centre)
        if srs.IsGeographic():
            cx = centre[0]
        write = write_raster if case.get("raster") else write_vector
        draw = write(case, srs, folder, chance, cx, cy, unit_of(srs))
        points = points_of(srs, draw)
        expected.append(
            {
                "name": case["name"],
                "driver": case["driver"],
                "system": case["system"],
                "file": os.path.join(case["name"], pack(case, folder)),
                "manifest": case.get("manifest", {}),
                "raster": bool(case.get("raster")),
                "points": points,
            }
        )
    with open(os.path.join(target, "expected.json"), "w", encoding="utf-8") as file:
        json.dump(expected, file)


main()
