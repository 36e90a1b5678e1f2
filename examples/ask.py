"""What broadband is at a latitude and a longitude? Prints the fastest offer and what is planned."""

import json
import os
import sys
import time
import urllib.error
import urllib.request
from email.utils import parsedate_to_datetime

URL = os.environ.get("COVERMAP_URL", "http://127.0.0.1:3000")
KEY = os.environ.get("COVERMAP_KEY", "demo")


def ask(lat: str, lng: str) -> list[dict]:
    """The results at a position. Waits where the service says so, three times at most."""
    request = urllib.request.Request(f"{URL}/api/2.0/availability/{lat}/{lng}", headers={"x-api-key": KEY})
    for last in (False, False, False, True):
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)["results"]
        except urllib.error.HTTPError as error:
            wait = error.headers.get("Retry-After")
            if last or wait is None:
                sys.exit(f"{error.code}: {error.read().decode()}")
            time.sleep(float(wait))
    return []


results = ask(*sys.argv[1:3])
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
