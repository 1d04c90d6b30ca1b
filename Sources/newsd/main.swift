print("newsd")
