"""What broadband is at a latitude and a longitude? Prints the fastest offer and what is planned. Copy covermap.py with it."""

import os
import sys
from email.utils import parsedate_to_datetime

from covermap import Covermap, CovermapError

covermap = Covermap(os.environ.get("COVERMAP_URL", "http://127.0.0.1:3000"), os.environ.get("COVERMAP_KEY", "demo"))
lat, lng = sys.argv[1:3]
try:
    results = covermap.get(f"/api/2.0/availability/{lat}/{lng}")["results"]
except CovermapError as error:
    sys.exit(f"{error.code}: {error}")
offers = [(provider["bandwidth_max_mbps"], provider["name"], result["technology"])
          for result in results if result["availability"] == "available" for provider in result["providers"]]
if offers:
    mbps, name, technology = max(offers)
    print(f"Up to {mbps:g} Mbps by {technology} from {name}")
else:
    print("Nothing is available here")
for result in results:
    if result["availability"] == "planned":
        for provider in result["providers"]:
            # Midnight of the day, in the format of HTTP.
            date = provider["planned_date"]
            day = parsedate_to_datetime(date).date() if date else "no date yet"
            print(f"Planned: {result['technology']} from {provider['name']}, {day}")
