"""Lists PROJ's reference systems of New Zealand in every dialect, with places in each.

    /usr/bin/python3 list-systems.py > systems.json

They are the horizontal and compound systems whose area of use is named after New Zealand, deprecated ones included. Each has its
definitions by dialect, and positions [x, y, longitude, latitude], by the best operation that PROJ has there; none where PROJ
cannot use the system itself.
"""

import json
import sqlite3
import sys
from functools import partial

from osgeo import gdal, osr

gdal.UseExceptions()
osr.UseExceptions()
# A deprecated system by itself, not the one that took its place.
gdal.SetConfigOption("OSR_USE_NON_DEPRECATED", "NO")

# Of the default service area, without its margins: west, south, east, north.
AREA = (166.5, -47.4, 178.5, -34.4)
DIALECTS = {
    "WKT1 GDAL": ["FORMAT=WKT1_GDAL"],
    "WKT1 ESRI": ["FORMAT=WKT1_ESRI"],
    "WKT2:2015": ["FORMAT=WKT2_2015"],
    "WKT2:2019": ["FORMAT=WKT2_2019"],
}
SYSTEMS = """
    select distinct c.auth_name, c.code, c.type, c.deprecated, c.name, e.west_lon, e.south_lat, e.east_lon, e.north_lat
    from crs_view c
    join usage u on u.object_auth_name = c.auth_name and u.object_code = c.code and u.object_table_name = c.table_name
    join extent e on e.auth_name = u.extent_auth_name and e.code = u.extent_code
    where c.type in ('projected', 'geographic 2D', 'geographic 3D', 'compound')
      and (e.name like '%New Zealand%' or e.description like '%New Zealand%')
    order by c.auth_name, cast(c.code as integer)
"""


def database():
    for folder in osr.GetPROJSearchPaths():
        try:
            return sqlite3.connect(f"file:{folder}/proj.db?mode=ro", uri=True).execute(SYSTEMS).fetchall()
        except sqlite3.OperationalError:
            continue
    sys.exit("proj.db was not found")


def traditional(srs):
    srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return srs


def reference(code):
    srs = osr.SpatialReference()
    srs.SetFromUserInput(code)
    return traditional(srs)


WGS84 = reference("EPSG:4326")


def positions(srs, west, south, east, north):
    """In the part of its area of use that lies in the service area, or in that nearest to it."""
    if east < west:
        east += 360
    w, s, e, n = max(west, AREA[0]), max(south, AREA[1]), min(east, AREA[2]), min(north, AREA[3])
    if w >= e or s >= n:
        w, s, e, n = west, south, east, north
    there = [(w + (e - w) * i / 4, s + (n - s) * j / 4) for i in (1, 2, 3) for j in (1, 2, 3)]
    into = osr.CoordinateTransformation(WGS84, srs)
    back = osr.CoordinateTransformation(srs, WGS84)
    found = []
    try:
        for lng, lat in there:
            x, y, _ = into.TransformPoint(lng, lat)
            lng, lat, _ = back.TransformPoint(x, y)
            found.append([x, y, lng, lat])
    except RuntimeError:
        return []
    return found


def definitions(srs):
    exports = {dialect: partial(srs.ExportToWkt, options) for dialect, options in DIALECTS.items()}
    exports |= {"PROJJSON": srs.ExportToPROJJSON, "PROJ string": srs.ExportToProj4}
    found = {}
    for dialect, export in exports.items():
        try:
            found[dialect] = export()
        except RuntimeError:
            continue
    return {dialect: text for dialect, text in found.items() if text}


systems = []
for authority, code, kind, deprecated, name, *area in database():
    srs = reference(f"{authority}:{code}")
    if authority == "ESRI":
        # As its text, which names EPSG's datum. By some of Esri's codes, PROJ knows no shift.
        text = srs.ExportToWkt(DIALECTS["WKT1 ESRI"])
        srs = traditional(osr.SpatialReference(text))
    systems.append(
        {
            "code": f"{authority}:{code}",
            "name": name,
            "kind": kind,
            "deprecated": bool(deprecated),
            "definitions": definitions(srs),
            "positions": positions(srs, *area),
        }
    )
json.dump(systems, sys.stdout)
