"""A job of Spark that hands a wide table to Python and takes it back, twice with a pause between.

It knows nothing of Arenal, of allocators or of measuring: how it runs is in spark-defaults.conf. It
says on standard output when a step begins and what a query has found.
"""

import json
import sys
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

COLUMNS = 300
SLOTS = 16
# 20,000 rows a batch and two batches a task, so that all slots hold batches at one time.
ROWS = SLOTS * 2 * 20_000


def say(step, **more):
    print(json.dumps({"step": step, **more}), flush=True)


def column(number):
    """Half of the columns are ints, of the rest most doubles and some short strings."""
    value = (F.col("id") * (2 * number + 1) + number) % 1_000_003
    if number % 2 == 0:
        return value.cast("int").alias(f"i{number}")
    if number % 30 == 1:
        return value.cast("string").alias(f"s{number}")
    return (value / 7).alias(f"d{number}")


def pass_on(batches):
    yield from batches


def query(spark, rows):
    """The number of rows and a hash of all cells, neither of which knows an order."""
    wide = spark.range(0, rows, 1, SLOTS).select([column(i) for i in range(COLUMNS)])
    back = wide.mapInArrow(pass_on, wide.schema)
    cells = F.xxhash64(*back.columns).cast("decimal(38,0)")
    row = back.select(cells.alias("cells")).agg(F.count("*"), F.sum("cells")).collect()[0]
    return {"rows": row[0], "hash": str(row[1])}


def main(idle_seconds):
    spark = SparkSession.builder.appName("wide-table").getOrCreate()
    # Loads the classes and starts the workers, so that they do not count as the first query's.
    query(spark, SLOTS * 50)
    time.sleep(5)
    say("query1")
    say("result1", **query(spark, ROWS))
    time.sleep(idle_seconds)
    say("query2")
    say("result2", **query(spark, ROWS))
    spark.stop()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
